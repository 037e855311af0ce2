// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Testing

@testable import revue

/// A `revue` process beside the tests, and what it said so far.
@MainActor final class PeerProcess {
    private(set) var lines: [PeerLine] = []
    let child: ChildProcess
    private let name: String

    init(_ name: String, _ arguments: [String]) throws {
        self.name = name
        child = try ChildProcess(arguments, program: Lab.program)
        Task { @MainActor [weak self, child] in
            for await text in child.lines {
                guard let line = try? PeerLine(decoding: text) else { continue }
                self?.lines.append(line)
            }
        }
    }

    /// The first event of a kind that was told after a time, or the failure of the test.
    func event(
        _ what: String, after time: Int64 = 0, within seconds: Double,
        _ matches: (PeerEvent) -> Bool
    ) async throws -> PeerLine {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let line = lines.first(where: { $0.time > time && matches($0.event) }) { return line }
            if !child.isRunning, lines.last.map({ $0.time <= time }) ?? true { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        if let line = lines.first(where: { $0.time > time && matches($0.event) }) { return line }
        let said = lines.suffix(8).compactMap { $0.event.sentence }.joined(separator: "; ")
        throw LabFailure("\(name) never \(what) within \(seconds) s; last: \(said) \(child.complaints)")
    }

    /// The exit status, once it has ended.
    func status(within seconds: Double) async throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while child.isRunning {
            guard ContinuousClock.now < deadline else { throw LabFailure("\(name) did not end within \(seconds) s") }
            try await Task.sleep(for: .milliseconds(20))
        }
        return await child.wait()
    }
}

/// What stopped a test, in a sentence.
struct LabFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A node and two people's folders, gone at the end.
@MainActor final class Lab {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("revue-system-\(UUID().uuidString)")
    private(set) var node = ""
    private var nodeProcess: ChildProcess?
    private var peers: [PeerProcess] = []

    /// Runs a test with a lab, and ends all of its processes however the test ends.
    static func run(_ body: @MainActor (Lab) async throws -> Void) async throws {
        let lab = Lab()
        defer { lab.close() }
        try await lab.startNode()
        try await body(lab)
    }

    /// The program that was built beside the tests.
    nonisolated static var program: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            var place = URL(fileURLWithPath: tests)
            while place.pathComponents.count > 1 {
                place.deleteLastPathComponent()
                let program = place.appendingPathComponent("revue").path
                if FileManager.default.isExecutableFile(atPath: program) { return program }
            }
            let fromBundle = CommandLine.arguments.compactMap { argument -> String? in
                guard argument.hasSuffix(".xctest") else { return nil }
                return URL(fileURLWithPath: argument).deletingLastPathComponent().appendingPathComponent("revue").path
            }.first { FileManager.default.isExecutableFile(atPath: $0) }
            guard let fromBundle else { throw LabFailure("the revue program is not beside the tests at \(tests)") }
            return fromBundle
        }
    }

    /// A file of the package's `Fixtures`.
    nonisolated static func fixture(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path
    }

    /// A peer with a person's identity; what it keeps stays for the next one of that name.
    func peer(_ person: DemoPerson, _ more: [String]) throws -> PeerProcess {
        let peer = try PeerProcess(
            person.rawValue,
            [
                "demo-peer", "--name", person.rawValue, "--node", node, "--data", data(of: person).path,
                "--licence", Lab.fixture("development.lic"), "--source", "clip:\(Lab.fixture("clip.mp4"))",
                "--audio", Lab.fixture("speech.wav"), "--size", "320x180",
            ] + more)
        peers.append(peer)
        return peer
    }

    func pictures(of person: DemoPerson) -> URL { folder.appendingPathComponent("\(person.rawValue)-pictures") }

    private func data(of person: DemoPerson) -> URL { folder.appendingPathComponent("\(person.rawValue)-data") }

    private func startNode() async throws {
        let process = try ChildProcess(["node", "--attached"], program: Lab.program)
        nodeProcess = process
        for await line in process.lines where line.hasPrefix("--node ") {
            node = String(line.dropFirst("--node ".count))
            return
        }
        throw LabFailure("the node did not start: \(process.complaints)")
    }

    private func close() {
        for peer in peers { peer.child.endNow() }
        nodeProcess?.endNow()
        try? FileManager.default.removeItem(at: folder)  // only scratch files of this test
    }
}

extension PeerEvent {
    var isReady: Bool { if case .ready = self { true } else { false } }
    var isConnected: Bool { if case .connected = self { true } else { false } }
    var isOffline: Bool { if case .paths(_, 0) = self { true } else { false } }
    /// Whether pictures came within the second that this samples.
    var showsPictures: Bool { if case .second(let sample) = self { sample.fps > 0 } else { false } }

    var address: String? { if case .ready(_, let address, _) = self { address } else { nil } }
    var identity: String? { if case .ready(let id, _, _) = self { id } else { nil } }
    var friendCount: Int? { if case .ready(_, _, let friends) = self { friends } else { nil } }
}
