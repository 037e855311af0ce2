// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// Those who await an operation. Each is resumed exactly once, whoever comes first.
final class Waiters: Sendable {
    private struct State {
        var next: UInt64 = 0
        var waiting: [OperationID: CheckedContinuation<Void, any Error>] = [:]
        var ended: [OperationID: OperationOutcome] = [:]
    }

    private let state = Locked(State())

    /// A name for an operation that is about to start.
    func makeOperation() -> OperationID {
        state.withLock { state in
            state.next += 1
            return OperationID(rawValue: state.next)
        }
    }

    /// Waits for the end of an operation that has been started; one that has ended already returns at once.
    ///
    /// - Throws: `OperationFailure`.
    func end(of operation: OperationID) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let ended: OperationOutcome? = state.withLock { state in
                if let outcome = state.ended.removeValue(forKey: operation) { return outcome }
                state.waiting[operation] = continuation
                return nil
            }
            if let ended { resume(continuation, ended) }
        }
    }

    /// Ends an operation.
    func finish(_ operation: OperationID, _ outcome: OperationOutcome) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            if let continuation = state.waiting.removeValue(forKey: operation) { return continuation }
            state.ended[operation] = outcome
            return nil
        }
        if let waiting { resume(waiting, outcome) }
    }

    private func resume(_ continuation: CheckedContinuation<Void, any Error>, _ outcome: OperationOutcome) {
        switch outcome {
        case .done: continuation.resume()
        case .failed(let failure): continuation.resume(throwing: failure)
        }
    }
}
