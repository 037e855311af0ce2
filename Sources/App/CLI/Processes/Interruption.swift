// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Foundation
import Glibc

/// Ctrl-C, a polite kill, or the end of whoever started this process.
@MainActor final class Interruption {
    private(set) var hasHappened = false
    private var sources: [any DispatchSourceProtocol] = []
    private var handlers: [@MainActor () -> Void] = []

    /// Takes the signals over: they no longer end the process by themselves, save a second one.
    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { @Sendable [weak self] in MainActor.assumeIsolated { self?.happened() } }
            source.activate()
            sources.append(source)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Also counts the end of standard input: a child's parent has gone.
    func watchParent() {
        FileHandle.standardInput.readabilityHandler = { @Sendable [weak self] handle in
            guard handle.availableData.isEmpty else { return }
            handle.readabilityHandler = nil
            DispatchQueue.main.async { @Sendable in MainActor.assumeIsolated { self?.happened() } }
        }
    }

    /// Runs `handler` when it happens, or now when it has.
    func onInterruption(_ handler: @escaping @MainActor () -> Void) {
        if hasHappened { handler() } else { handlers.append(handler) }
    }

    /// Returns when it happens.
    func wait() async {
        await withCheckedContinuation { continuation in onInterruption { continuation.resume() } }
    }

    private func happened() {
        if hasHappened { exit(ExitCode.interrupted.rawValue) }
        hasHappened = true
        let pending = handlers
        handlers = []
        for handler in pending { handler() }
    }
}
