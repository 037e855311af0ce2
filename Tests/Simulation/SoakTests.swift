// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevueTime
import Testing

/// The same thing over and over: nothing may stay behind.
///
/// The short form sees whether what ended is gone. The long one, `make soak` (`REVUE_SOAK=1`), also measures the heap.
@MainActor @Suite(.serialized) struct SoakTests {
    private nonisolated static let isLong = ProcessInfo.processInfo.environment["REVUE_SOAK"] != nil
    /// Cycles before the heap is measured, so that caches and pools have their size.
    private static let warmUp = 20

    /// Runs cycles; in the long form the heap must not grow by more than 1 KiB a cycle after the warm-up.
    private func repeatCycle(
        short: Int, long: Int, _ cycle: @MainActor () async throws -> [WeakBox],
        settle: @MainActor () async throws -> Void
    ) async throws {
        let count = Self.isLong ? long : short
        var boxes: [WeakBox] = []
        var begin = 0
        for number in 0..<count {
            boxes += try await cycle()
            if Self.isLong { boxes.removeAll { $0.object == nil } }
            if number == Self.warmUp { begin = Heap.usedBytes }
        }
        try await settle()
        let left = Set(boxes.filter { $0.object != nil }.map(\.name))
        #expect(left == [])
        guard Self.isLong else { return }
        let growth = Double(Heap.usedBytes - begin) / Double(count - Self.warmUp)
        print("the heap grew by \(Int(growth)) bytes a cycle over \(count - Self.warmUp) cycles")
        #expect(growth <= 1_024)
    }

    /// With nothing else running in the process, as in `make soak`.
    @Test(.enabled(if: Self.isLong)) func `the measure of the heap sees what is kept, and what is given back`() {
        let before = Heap.usedBytes
        var kept: [[UInt8]] = (0..<100).map { [UInt8](repeating: UInt8($0), count: 100_000) }
        let full = Heap.usedBytes
        #expect(kept.count == 100 && full - before > 9_000_000)
        kept = []
        #expect(full - Heap.usedBytes > 9_000_000)
    }

    @Test func `joining and leaving again and again leaves nothing behind`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        (a.revue.room.reportStatistics, b.revue.room.reportStatistics) = (true, true)
        try await repeatCycle(short: 10, long: 50) {
            try await callOnce(world, a, b)
        } settle: {
            try await world.scheduler.advance(by: .seconds(2))
        }
        #expect(a.revue.room.activeSpeakers.allSatisfy { $0 === a.local } && a.local?.trackPublications.isEmpty == true)
    }

    private func callOnce(_ world: World, _ a: Peer, _ b: Peer) async throws -> [WeakBox] {
        for log in [a.log, b.log] { log.forget() }
        try a.revue.friends.sendInvitation(friendId: b.id)
        try await world.scheduler.run { b.log.contains("invited") }
        try b.revue.friends.acceptInvitation(friendId: a.id)
        try await world.scheduler.run { a.isConnected(to: b) && b.isConnected(to: a) }
        let boxes = try await publishOnce(world, a, b)
        a.revue.room.disconnectAll()
        try await world.scheduler.run { !b.isConnected(to: a) }
        for log in [a.log, b.log] {
            #expect(log.count("connected") == 1 && log.count("disconnected") == 1)
        }
        return boxes
    }

    /// Camera, microphone and a message, for a second and a bit.
    private func publishOnce(_ world: World, _ a: Peer, _ b: Peer) async throws -> [WeakBox] {
        let (local, bob, alice) = (try #require(a.local), try #require(a.remote(b)), try #require(b.remote(a)))
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        let camera = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        let microphone = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
        _ = try await world.scheduler.drive { try await local.publish(message: "hello", to: bob) }
        try await world.scheduler.advance(by: .milliseconds(1_200))
        let received: [AnyObject?] = [alice.firstCameraVideoTrack, alice.firstAudioTrack, alice.videoTracks.first]
        let objects: [AnyObject] = [bob, alice, camera, microphone] + received.compactMap { $0 }
        #expect(objects.count == 7)
        return objects.map(WeakBox.init)
    }

    @Test func `publishing and unpublishing again and again leaves nothing behind`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        b.revue.room.reportStatistics = true
        try await repeatCycle(short: 100, long: 1_000) {
            try await publishAndUnpublish(world, a, b)
        } settle: {
            try await world.scheduler.advance(by: .seconds(2))
        }
        #expect(a.local?.trackPublications.isEmpty == true && b.remote(a)?.trackPublications.isEmpty == true)
    }

    private func publishAndUnpublish(_ world: World, _ a: Peer, _ b: Peer) async throws -> [WeakBox] {
        let (local, bob, alice) = (try #require(a.local), try #require(a.remote(b)), try #require(b.remote(a)))
        for log in [a.log, b.log] { log.forget() }
        let track = LocalVideoTrack.createBufferTrack(name: "canvas", source: .screenShareVideo)
        let publication = try await world.scheduler.drive { try await local.publish(videoTrack: track, to: bob) }
        let received = try #require(alice.videoTracks.first)
        let objects: [AnyObject] = [track, publication, received, try #require(received.track)]
        try await world.scheduler.advance(by: .milliseconds(100))
        local.unpublish(publication: publication)
        try await world.scheduler.run { alice.trackPublications.isEmpty }
        #expect(a.log.texts.filter { $0.contains("publ") } == ["published canvas", "unpublished canvas"])
        #expect(b.log.texts.filter { $0.contains("subs") } == ["subscribed canvas", "unsubscribed canvas"])
        return objects.map(WeakBox.init)
    }
}

/// What the C library knows of the process's heap.
enum Heap {
    /// Bytes that are allocated and not freed; 0 where the library does not tell.
    static var usedBytes: Int {
        let text = report()
        return sum(text, "<system type=\"current\"") + sum(text, "<total type=\"mmap\"")
            - sum(text, "<total type=\"fast\"") - sum(text, "<total type=\"rest\"")
    }

    /// The totals stand after the last of the arenas.
    private static func sum(_ text: String, _ element: String) -> Int {
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(element) }),
            let size = line.components(separatedBy: "size=\"").last?.prefix(while: \.isNumber)
        else { return 0 }
        return Int(size) ?? 0
    }

    /// `malloc_info`, which no module of Swift declares.
    private static func report() -> String {
        typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &size) else { return "" }
        // SAFETY: the C library's own declaration of this name.
        _ = unsafeBitCast(symbol, to: Function.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        return text.map { String(cString: $0) } ?? ""
    }
}
