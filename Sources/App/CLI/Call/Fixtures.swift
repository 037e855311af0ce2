// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// The clip, the speech and the development licence that come with the package.
enum Fixtures {
    /// The file that was named, or the fixture that stands in for it.
    ///
    /// - Throws: a failure that names the option when there is no such file.
    static func path(_ given: String?, fallback: String) throws(CommandFailure) -> String {
        if let given {
            guard FileManager.default.fileExists(atPath: given) else {
                throw CommandFailure(.failed, "there is no file '\(given)'")
            }
            return given
        }
        for folder in folders {
            let path = folder.appendingPathComponent(fallback).path
            if FileManager.default.fileExists(atPath: path) { return path }
        }
        throw CommandFailure(
            .failed,
            "Fixtures/\(fallback) is not here: run this from the package's folder, or name the file with its option")
    }

    /// Below the working directory, and beside any folder above the program itself: `.build/release/revue` has them there.
    private static var folders: [URL] {
        var folders = [URL(fileURLWithPath: FileManager.default.currentDirectoryPath)]
        var place = URL(
            fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/")
        while place.pathComponents.count > 1 {
            place.deleteLastPathComponent()
            folders.append(place)
        }
        return folders.map { $0.appendingPathComponent("Fixtures") }
    }
}
