// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// Lets real time pass on the caller's thread: no more than was asked for, however busy the other tests keep theirs.
func pause(milliseconds: Double) { usleep(useconds_t(milliseconds * 1_000)) }

/// How many times longer than usual a test may wait: `REVUE_PATIENCE`, for a build that a sanitizer slows down.
let patience = ProcessInfo.processInfo.environment["REVUE_PATIENCE"].flatMap(Double.init) ?? 1

/// A file of `Fixtures`.
func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Fixtures/\(name)")
        .standardized.path
}

/// A directory of its own that goes when this does.
final class ScratchDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("revue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
