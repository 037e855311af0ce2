// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#if TSAN
    import Foundation
#else
    import Synchronization
#endif

/// A value behind a lock.
///
/// One place that wraps `Synchronization.Mutex`, because the thread sanitizer does not understand it: built with
/// `-DTSAN` the lock is one that it does.
public final class Locked<Value>: @unchecked Sendable {
    // SAFETY: `value` is touched inside `withLock` alone.
    private var value: Value
    #if TSAN
        private let lock = NSLock()
    #else
        private let lock = Mutex<Void>(())
    #endif

    /// A value, unlocked.
    public init(_ value: sending Value) { self.value = value }

    /// Runs `body` with the value to itself. Do not call out to unknown code from it: the lock is not recursive.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if TSAN
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #else
            var result: Swift.Result<Result, Failure>?
            lock.withLock { _ in
                do throws(Failure) {
                    result = .success(try body(&value))
                } catch {
                    result = .failure(error)
                }
            }
            guard let result else { preconditionFailure("the mutex ran its body") }
            return try result.get()
        #endif
    }
}
