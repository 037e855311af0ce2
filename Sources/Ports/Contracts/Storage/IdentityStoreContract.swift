// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// What every identity store promises.
///
/// ```swift
/// IdentityStoreContract {
///     let directory = makeTemporaryDirectory()
///     return { FileIdentityStore(directory: directory) }
/// }.promises
/// ```
public struct IdentityStoreContract: Contract {
    private let place: @Sendable () throws -> @Sendable () -> any IdentityStore

    /// The contract of the stores in the places that `place` gives: each call of it names a new, empty place, and each
    /// call of the closure that it returns gives another store there, as another process would have.
    public init(place: @escaping @Sendable () throws -> @Sendable () -> any IdentityStore) { self.place = place }

    private func promise(
        _ sentence: String, _ body: @escaping @Sendable (() -> any IdentityStore) throws -> Void
    ) -> Promise {
        Promise(sentence) { [place] in try body(try place()) }
    }

    /// All promises.
    public var promises: [Promise] { contents + locks }

    private var contents: [Promise] {
        [
            promise("nothing was saved under a new name") { store in
                let found = try store().load("new")
                try expect(found == nil, "\(found?.count ?? 0) bytes")
            },
            promise("what was saved is there for every store of the place, the newest of it") { store in
                let writer = store()
                for round in 0..<5 {
                    let data = (0..<(1 << (4 * round))).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
                    try writer.save(data, as: "me")
                    try expect(try store().load("me") == data, "round \(round) came back otherwise")
                }
            },
            promise("saving nothing is not the same as never having saved") { store in
                try store().save([], as: "empty")
                try expect(try store().load("empty") == [], "no empty data")
            },
            promise("names do not touch each other") { store in
                try store().save([1], as: "a")
                try store().save([2], as: "b")
                try store().save([3], as: "a.b")
                try store().delete("a")
                try expect(try store().load("a") == nil, "a is still there")
                try expect(try store().load("b") == [2], "b changed")
                try expect(try store().load("a.b") == [3], "a.b changed")
            },
            promise("a deleted name is new again") { store in
                try store().save([1], as: "me")
                try store().save([2], as: "me")
                try store().delete("me")
                try store().delete("me")
                try expect(try store().load("me") == nil, "a generation is still there")
                try store().save([3], as: "me")
                try expect(try store().load("me") == [3], "it cannot be used again")
            },
            promise("a name that is no plain file name is refused everywhere") { store in
                for name in ["", ".", "..", "a/b", "/a", "../a", "a\u{0}b"] {
                    let subject = store()
                    func isRefused(_ error: IdentityStoreError) -> Bool { error == .invalidName(name) }
                    try expectError(
                        "loading “\(name)”", from: { () throws(IdentityStoreError) in try subject.load(name) },
                        where: isRefused)
                    try expectError(
                        "saving “\(name)”", from: { () throws(IdentityStoreError) in try subject.save([1], as: name) },
                        where: isRefused)
                    try expectError(
                        "deleting “\(name)”", from: { () throws(IdentityStoreError) in try subject.delete(name) },
                        where: isRefused)
                    try expectError(
                        "locking “\(name)”", from: { () throws(IdentityStoreError) in try subject.lock(name) },
                        where: isRefused)
                }
            },
        ]
    }

    private var locks: [Promise] {
        [
            promise("a name has one owner at a time, and unlocking frees it") { store in
                let (one, other) = (store(), store())
                try one.lock("me")
                try expectError("the other's lock") { () throws(IdentityStoreError) in
                    try other.lock("me")
                } where: {
                    $0 == .inUse(name: "me")
                }
                try other.lock("you")
                other.unlock("me")
                try expectError("the lock after a stranger's unlock") { () throws(IdentityStoreError) in
                    try other.lock("me")
                } where: {
                    $0 == .inUse(name: "me")
                }
                one.unlock("me")
                try other.lock("me")
                other.unlock("me")
                other.unlock("you")
            },
            promise("a store that goes away gives its names back") { store in
                var one: (any IdentityStore)? = store()
                try one?.lock("me")
                one = nil
                let other = store()
                try other.lock("me")
                other.unlock("me")
            },
        ]
    }
}
