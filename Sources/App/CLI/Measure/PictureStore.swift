// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevuePorts

/// Every so many pictures kept as files, by the number drawn into them: sender and receiver keep the same numbers, and
/// whoever comes afterwards compares them, when the processors have nothing else to do.
final class PictureStore: Sendable {
    /// One picture of this many is kept; odd, so that halving the frame rate leaves as many.
    static let every = 7

    private let folder: URL
    private let lane: any Lane
    private let failure = Locked<String?>(nil)

    init(folder: URL, scheduler: any Scheduler) throws {
        self.folder = folder
        lane = scheduler.makeLane("pictures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Keeps the picture's brightness if its number is one of those.
    func keep(_ picture: PixelBuffer, number: UInt32) {
        guard Int(number) % PictureStore.every == 0 else { return }
        lane.async { [folder, failure] in
            guard let luma = Luma(picture) else { return failure.withLock { $0 = "a picture without brightness" } }
            do {
                try PictureStore.encode(luma).write(to: PictureStore.file(number, in: folder))
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
        }
    }

    /// Waits until everything is on the disk.
    ///
    /// - Throws: what stopped a picture from being kept.
    func finish() throws {
        lane.sync {}
        if let reason = failure.withLock({ $0 }) { throw CommandFailure(.failed, "pictures were not kept: \(reason)") }
    }

    /// Compares every picture that both folders have, in order of their numbers.
    static func compare(_ received: URL, with sent: URL) throws -> [(number: UInt32, quality: PictureQuality)] {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: received.path)
            .compactMap { UInt32($0.prefix { $0 != "." }) }.sorted()
        return try numbers.compactMap { number in
            let source = file(number, in: sent)
            guard FileManager.default.fileExists(atPath: source.path) else { return nil }
            guard let picture = decode(try Data(contentsOf: file(number, in: received))),
                let original = decode(try Data(contentsOf: source)),
                let quality = PictureQuality(of: picture, against: original)
            else { throw CommandFailure(.failed, "picture \(number) came in another size than it was sent in") }
            return (number, quality)
        }
    }

    private static func file(_ number: UInt32, in folder: URL) -> URL {
        folder.appendingPathComponent("\(number).luma")
    }

    private static func encode(_ luma: Luma) -> Data {
        let header = [luma.width, luma.height].flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] }
        return Data(header + luma.values)
    }

    private static func decode(_ data: Data) -> Luma? {
        guard data.count > 4 else { return nil }
        let bytes = [UInt8](data)
        let (width, height) = (Int(bytes[0]) | Int(bytes[1]) << 8, Int(bytes[2]) | Int(bytes[3]) << 8)
        return Luma(width: width, height: height, values: Array(bytes[4...]))
    }
}
