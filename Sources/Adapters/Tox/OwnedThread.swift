// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import Dispatch
import Glibc
import RevuePorts
import RevueTime

/// A POSIX thread that runs one closure and can be waited for by any number of others.
final class OwnedThread: Sendable {
    private final class Start {
        let body: @Sendable () -> Void
        let name: String
        let finished: DispatchGroup

        init(name: String, finished: DispatchGroup, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.finished = finished
            self.body = body
        }
    }

    private let finished = DispatchGroup()
    private let handle: pthread_t
    private let isReleased = Locked(false)

    /// Starts the thread; nil when the system has none left. The name's first 15 bytes are shown by the system's tools.
    init?(name: String, body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, finished: finished, body: body))
        var handle = pthread_t()
        finished.enter()
        guard pthread_create(&handle, nil, runOwnedThread, start.toOpaque()) == 0 else {
            finished.leave()
            start.release()
            return nil
        }
        self.handle = handle
    }

    /// Whether the caller runs on this thread. Ask only while the thread is known to run.
    var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }

    /// The processor time that the thread has taken. Ask only while the thread is known to run.
    var processorTime: Interval {
        var clock = clockid_t()
        var time = timespec()
        guard pthread_getcpuclockid(handle, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
        return Interval(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Waits for the end; from the thread itself it returns at once, and the thread frees itself when it ends.
    func join() {
        if isCurrent {
            detach()
        } else {
            finished.wait()
            if claim() { pthread_join(handle, nil) }
        }
    }

    /// Lets the thread free itself when it ends; nobody joins it then.
    func detach() { if claim() { pthread_detach(handle) } }

    private func claim() -> Bool {
        isReleased.withLock { released in
            defer { released = true }
            return !released
        }
    }

    fileprivate static func run(_ argument: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        revue_name_thread(start.name)
        start.body()
        start.finished.leave()
    }
}

private func runOwnedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { OwnedThread.run(argument) }
    return nil
}
