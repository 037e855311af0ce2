// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Glibc
import RevueDomain
import RevuePorts

/// A pipe that wakes the transport's thread; any thread signals, one waits for it together with its socket.
final class WakePipe: Sendable {
    let reading: Int32
    private let writing: Int32

    /// Nil when the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the waiting thread. A full pipe has woken it already.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Takes every signal given so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }
}

/// What other threads ask of the transport's thread, in the order in which they asked.
final class Letterbox: Sendable {
    enum Letter: Sendable {
        case command(TransportCommand)
        case savedata(SavedataAnswer)
        case resolved(host: String, addresses: [String])
    }

    private struct State {
        var letters: [Letter] = []
        var isStopped = false
        var isClosed = false
    }

    let wake: WakePipe
    private let state = Locked(State())

    init(wake: WakePipe) { self.wake = wake }

    /// Whether `stop` was called: nothing is reported from then on.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the thread to end.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake.signal()
    }

    /// Queues a letter and wakes the thread; false when the thread has ended.
    @discardableResult
    func post(_ letter: Letter) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.letters.append(letter) }
            return !state.isClosed
        }
        if isTaken { wake.signal() }
        return isTaken
    }

    /// Every letter so far.
    func collect() -> [Letter] {
        state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Takes no more letters and answers the waiting ones: nobody waits for a thread that has ended.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.letters = [] }
            return state.letters
        }
        for case .savedata(let answer) in rest { answer.give([]) }
    }
}

/// A place to wait for savedata.
final class SavedataAnswer: Sendable {
    private let value = Locked<[UInt8]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    func give(_ savedata: [UInt8]) {
        value.withLock { $0 = savedata }
        semaphore.signal()
    }

    func wait() -> [UInt8] {
        semaphore.wait()
        return value.withLock { $0 }
    }
}
