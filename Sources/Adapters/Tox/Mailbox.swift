// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevueDomain
import RevuePorts
import Synchronization

/// What other threads ask of the transport's thread, in the order in which they asked.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case command(TransportCommand)
        case savedata(SavedataReply)
        case resolved(node: Int, addresses: [String])
    }

    private struct State {
        var letters: [Letter] = []
        var isClosed = false
    }

    let wake: WakeEvent
    private let stopped = Atomic(false)
    private let state = Locked(State())

    init(wake: WakeEvent) { self.wake = wake }

    /// Whether `stop` was called: nothing is reported from then on.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Asks the thread to end.
    func stop() {
        stopped.store(true, ordering: .releasing)
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
            if state.letters.isEmpty { return [] }
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Takes no more letters, and answers the waiting ones: nobody waits for a thread that has ended.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.letters = [] }
            return state.letters
        }
        for case .savedata(let reply) in rest { reply.answer([]) }
    }
}

/// A place to wait for savedata.
final class SavedataReply: Sendable {
    private let value = Locked<[UInt8]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    func answer(_ savedata: [UInt8]) {
        value.withLock { $0 = savedata }
        semaphore.signal()
    }

    func wait() -> [UInt8] {
        semaphore.wait()
        return value.withLock { $0 }
    }
}
