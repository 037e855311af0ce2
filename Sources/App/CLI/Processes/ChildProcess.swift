// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Glibc
import RevuePorts

/// A process of this same program that somebody here started, and ends.
///
/// Its standard input stays open as long as this process lives: a child that reads its end knows that it is alone.
@MainActor final class ChildProcess {
    /// What the child prints, line by line; ends with the child's output.
    let lines: AsyncStream<String>
    /// What it complained of last, for whoever has to explain its failure.
    var complaints: String { errors.withLock { String(decoding: $0.suffix(2_000), as: UTF8.self) } }

    private let process = Process()
    private let input = Pipe()
    private let errors = Locked<[UInt8]>([])
    private let ended: AsyncStream<Int32>
    private var status: Int32?

    /// - Parameter program: the program; nil = this one.
    init(_ arguments: [String], program: String? = nil) throws {
        let output = Pipe()
        let errorOutput = Pipe()
        process.executableURL = URL(fileURLWithPath: try program ?? ChildProcess.ownPath())
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errorOutput
        let (lines, lineSink) = AsyncStream<String>.makeStream()
        let (ended, endSink) = AsyncStream<Int32>.makeStream()
        (self.lines, self.ended) = (lines, ended)
        let splitter = Locked(LineSplitter())
        output.fileHandleForReading.readabilityHandler = { @Sendable handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                lineSink.finish()
            } else {
                for line in splitter.withLock({ $0.append(data) }) { lineSink.yield(line) }
            }
        }
        let errors = errors
        errorOutput.fileHandleForReading.readabilityHandler = { @Sendable handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            errors.withLock { kept in kept = Array((kept + data).suffix(8_000)) }
        }
        process.terminationHandler = { @Sendable process in
            let bySignal = process.terminationReason == .uncaughtSignal
            endSink.yield(bySignal ? 128 + process.terminationStatus : process.terminationStatus)
            endSink.finish()
        }
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// The exit status; 128 and the signal's number when a signal ended it.
    func wait() async -> Int32 {
        if let status { return status }
        for await ended in ended { status = ended }
        return status ?? -1
    }

    /// Asks it to end.
    func terminate() { if process.isRunning { kill(identifier, SIGTERM) } }
    /// Ends it without asking.
    func endNow() { if process.isRunning { kill(identifier, SIGKILL) } }

    private static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}

/// Cuts bytes into lines.
struct LineSplitter {
    private var pending: [UInt8] = []

    /// The lines that these bytes complete, without their ends.
    mutating func append(_ data: some Sequence<UInt8>) -> [String] {
        pending += data
        var lines: [String] = []
        while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: pending[..<end], as: UTF8.self))
            pending.removeSubrange(...end)
        }
        return lines
    }
}
