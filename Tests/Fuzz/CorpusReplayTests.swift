// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueFuzz
import Testing

/// The corpus, replayed: what once trapped, and what honest peers send, must not trap again.
struct CorpusReplayTests {
    private static let corpus = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/fuzz")

    private static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = corpus.appendingPathComponent(target.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every input of the corpus is survived`(target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        #expect(inputs.count >= 3, "a corpus this small proves nothing")
        for input in inputs { target.run(input.bytes) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every input cut at any length is survived`(target: FuzzTarget) throws {
        for input in try Self.inputs(of: target) {
            let step = max(1, input.bytes.count / 200)
            for length in stride(from: 0, to: input.bytes.count, by: step) {
                target.run(Array(input.bytes.prefix(length)))
            }
        }
    }

    @Test func `each folder of the corpus belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).sorted()
        #expect(folders == FuzzTarget.allCases.map(\.rawValue).sorted())
    }
}
