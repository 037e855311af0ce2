// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Glibc
import RevuePorts

/// A POSIX thread that runs one closure and that any number of others may wait for.
final class LoopThread: Sendable {
    private final class Start {
        /// Nil once it has run.
        var body: (@Sendable () -> Void)?
        let finished: DispatchGroup

        init(finished: DispatchGroup, body: @escaping @Sendable () -> Void) {
            self.finished = finished
            self.body = body
        }
    }

    private let finished = DispatchGroup()
    private let handle: pthread_t

    /// Starts the thread; nil when the system has none left. Nobody joins it: it frees itself when it ends.
    init?(body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(finished: finished, body: body))
        var handle = pthread_t()
        finished.enter()
        guard pthread_create(&handle, nil, runLoopThread, start.toOpaque()) == 0 else {
            finished.leave()
            start.release()
            return nil
        }
        pthread_detach(handle)
        self.handle = handle
    }

    /// Whether the caller runs on this thread. Ask only while the thread is known to run.
    var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }

    /// Waits until the closure has returned; on the thread itself it returns at once.
    func wait() { if !isCurrent { finished.wait() } }

    fileprivate static func run(_ argument: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.body?()
        // What the closure holds, a socket for one, is given back before anyone who waits goes on.
        start.body = nil
        start.finished.leave()
    }
}

private func runLoopThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { LoopThread.run(argument) }
    return nil
}
