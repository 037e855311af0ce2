// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// One sentence that every adapter of a port must make true, and the check of it.
public struct Promise: Sendable, CustomStringConvertible {
    /// The promise.
    public let sentence: String
    private let body: @Sendable () async throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable () async throws -> Void) {
        self.sentence = sentence
        self.body = body
    }

    /// The sentence.
    public var description: String { sentence }

    /// Puts the adapter to the test.
    ///
    /// - Throws: `ContractViolation` when the promise is broken; anything else that the adapter throws on the way is
    ///   wrapped in one.
    public func check() async throws {
        do {
            try await body()
        } catch let violation as Unkept {
            throw ContractViolation(promise: sentence, seen: violation.seen)
        } catch {
            throw ContractViolation(promise: sentence, seen: "threw \(error)")
        }
    }
}

/// A set of promises that belong to one port.
///
/// A test of your own adapter runs one test a promise:
///
/// ```swift
/// import RevueContracts
/// import Testing
///
/// @Suite struct MyStoreTests {
///     static let contract = IdentityStoreContract { MyPlace().makeStore }
///
///     @Test(arguments: contract.promises)
///     func `my store keeps its promises`(promise: Promise) async throws { try await promise.check() }
/// }
/// ```
///
/// Each promise makes adapters of its own, so promises may be checked in any order and at the same time as long as the
/// adapters allow it.
public protocol Contract: Sendable {
    /// All promises, in the order in which they are best read.
    var promises: [Promise] { get }
}

extension Contract {
    /// Checks one promise after the other.
    ///
    /// - Throws: the first `ContractViolation`.
    public func check() async throws {
        for promise in promises { try await promise.check() }
    }
}

/// An adapter that breaks a promise.
public struct ContractViolation: Error, Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let promise: String
    /// What was seen instead.
    public let seen: String
    /// Both.
    public var description: String { "broken: \(promise): \(seen)" }
}

/// What a check saw; `Promise.check` adds the promise.
struct Unkept: Error {
    let seen: String
}

func expect(_ condition: Bool, _ seen: @autoclosure () -> String) throws(Unkept) {
    if !condition { throw Unkept(seen: seen()) }
}

/// Runs `body` and expects it to throw what `matches`.
func expectError<Failure: Error>(
    _ what: String, from body: () throws(Failure) -> some Any, where matches: (Failure) -> Bool
) throws(Unkept) {
    do throws(Failure) {
        _ = try body()
    } catch {
        return try expect(matches(error), "\(what) threw \(error)")
    }
    throw Unkept(seen: "\(what) threw nothing")
}
