// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueContracts
import RevueFiles
import RevuePorts
import Testing

/// A directory of its own for a test, removed with it.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "revue-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path + "/" + name))) }
    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }
}

@Suite struct FileIdentityStoreTests {
    static let contract = IdentityStoreContract {
        let scratch = try Scratch()
        return { FileIdentityStore(directory: scratch.path + "/data/RevueSDK") }
    }
    @Test(arguments: contract.promises)
    func `the file store`(keeps promise: Promise) async throws { try await promise.check() }

    private let scratch: Scratch
    private let store: FileIdentityStore

    init() throws {
        scratch = try Scratch()
        store = FileIdentityStore(directory: scratch.path)
    }

    @Test func `a file cut at any length falls back to the generation before`() throws {
        try store.save(Array("old".utf8), as: "me")
        try store.save(Array("the newest".utf8), as: "me")
        let newest = try scratch.read("me/b")
        for length in 0..<newest.count {
            try scratch.write(Array(newest.prefix(length)), "me/b")
            #expect(try store.load("me") == Array("old".utf8), "cut to \(length) bytes")
        }
        try scratch.write(newest + [0], "me/b")
        #expect(try store.load("me") == Array("old".utf8), "a byte more")
    }

    @Test func `a file with any bit flipped falls back to the generation before`() throws {
        try store.save(Array("old".utf8), as: "me")
        try store.save(Array("the newest".utf8), as: "me")
        let newest = try scratch.read("me/b")
        for bit in 0..<(newest.count * 8) {
            var flipped = newest
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            try scratch.write(flipped, "me/b")
            #expect(try store.load("me") == Array("old".utf8), "bit \(bit)")
        }
    }

    @Test func `a save after a damage replaces the damaged generation and keeps the whole one`() throws {
        try store.save([1], as: "me")
        try store.save([2], as: "me")
        try scratch.write([], "me/b")
        try store.save([3], as: "me")
        #expect(try store.load("me") == [3])
        try scratch.write([], "me/b")
        #expect(try store.load("me") == [1])
    }

    @Test func `when no generation is whole nothing is loaded, and nothing overwritten`() throws {
        try store.save([1], as: "me")
        try store.save([2], as: "me")
        let (a, b) = (try scratch.read("me/a").dropLast(), try scratch.read("me/b").dropLast())
        try scratch.write(Array(a), "me/a")
        try scratch.write(Array(b), "me/b")
        #expect(throws: IdentityStoreError.damaged(name: "me")) { try store.load("me") }
        #expect(throws: IdentityStoreError.damaged(name: "me")) { try store.save([3], as: "me") }
        #expect(try scratch.read("me/a") == Array(a) && scratch.read("me/b") == Array(b))
        try store.delete("me")
        try store.save([3], as: "me")
        #expect(try store.load("me") == [3])
    }

    @Test func `a write that was interrupted leaves the generations as they were`() throws {
        try store.save([1], as: "me")
        try scratch.write([9, 9, 9], "me/new")
        #expect(try store.load("me") == [1])
        try store.save([2], as: "me")
        #expect(try store.load("me") == [2])
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/me/new"))
    }

    @Test func `a first write that was interrupted is as if nothing was ever saved`() throws {
        try FileManager.default.createDirectory(atPath: scratch.path + "/me", withIntermediateDirectories: true)
        try scratch.write([9, 9, 9], "me/new")
        #expect(try store.load("me") == nil)
    }

    @Test func `files belong to their user alone`() throws {
        try store.save([1], as: "me")
        for (path, mode) in [("me", 0o700), ("me/a", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `saves of several writers at once leave the last of one of them, whole`() async throws {
        let path = scratch.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 as Range<UInt8> {
                group.addTask {
                    let store = FileIdentityStore(directory: path)
                    for _ in 0..<20 { try store.save([UInt8](repeating: writer, count: 5_000), as: "me") }
                }
            }
            try await group.waitForAll()
        }
        let data = try #require(try store.load("me"))
        #expect(data.count == 5_000 && Set(data).count == 1)
    }

    @Test func `a directory that cannot be made is an error that says why`() throws {
        try scratch.write([1], "file")
        let store = FileIdentityStore(directory: scratch.path + "/file/below")
        #expect(throws: IdentityStoreError.self) { try store.save([1], as: "me") }
    }
}
