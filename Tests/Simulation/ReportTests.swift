// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueMedia
import RevueTime
import Testing

/// What a call tells the other side by RTCP.
@MainActor struct ReportTests {
    private struct Report {
        var at: Instant
        var ssrc: UInt32
        var info: SenderInfo
    }

    private static func senderReports(of peer: Peer) -> [Report] {
        peer.sent.reports.compactMap { at, packet in
            if case .senderReport(let ssrc, let info, _) = packet {
                Report(at: at, ssrc: ssrc, info: info)
            } else {
                nil
            }
        }
    }

    private static func makeCall() async throws -> (world: World, a: Peer, b: Peer, camera: LocalTrackPublication) {
        let world = World(conditions: LinkConditions(delay: .milliseconds(30)))
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        let recipient = try #require(a.remote(b))
        let camera = try await world.scheduler.drive { try await local.publishCamera(to: recipient) }
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: recipient) }
        return (world, a, b, camera)
    }

    @Test func `each stream that is sent is reported once a second, and none after it ended`() async throws {
        let (world, a, _, camera) = try await Self.makeCall()
        try await world.scheduler.advance(by: .seconds(5))
        let reports = Self.senderReports(of: a)
        let streams = Set(reports.map(\.ssrc))
        #expect(streams.count == 2)
        for stream in streams { #expect((4...6).contains(reports.filter { $0.ssrc == stream }.count)) }
        let local = try #require(a.local)
        local.unpublish(publication: camera)
        let end = world.scheduler.now
        try await world.scheduler.advance(by: .seconds(3))
        #expect(Set(Self.senderReports(of: a).filter { $0.at > end }.map(\.ssrc)).count == 1)
    }

    @Test func `a report is an instant on both clocks, so that streams share one`() async throws {
        let (world, a, _, _) = try await Self.makeCall()
        try await world.scheduler.advance(by: .seconds(5))
        let reports = Self.senderReports(of: a)
        for stream in Set(reports.map(\.ssrc)) {
            let own = reports.filter { $0.ssrc == stream }
            for (first, second) in zip(own, own.dropFirst()) {
                let wall = NTPTime.interval(from: first.info.ntp, to: second.info.ntp)
                #expect(abs((wall - (second.at - first.at)).milliseconds) < 0.1)
                let ticks = second.info.timestamp &- first.info.timestamp
                let clock = [MediaClock.video, .audio].map { $0.interval(ticks: Int64(ticks)) }
                #expect(clock.contains { abs(($0 - wall).milliseconds) < 0.1 })
            }
        }
    }

    @Test func `the other side answers with how long it held the report`() async throws {
        let (world, a, b, _) = try await Self.makeCall()
        try await world.scheduler.advance(by: .seconds(5))
        let middles = Set(Self.senderReports(of: a).map { NTPTime.middle(of: $0.info.ntp) })
        let answers = b.sent.reports.flatMap { _, packet in
            if case .receiverReport(_, let blocks) = packet { blocks } else { [] as [ReportBlock] }
        }
        let answered = answers.filter { $0.lastSenderReport != 0 }
        #expect(answered.count >= 6)
        #expect(answered.allSatisfy { middles.contains($0.lastSenderReport) })
        #expect(answered.allSatisfy { $0.delaySinceLastSenderReport <= 65_536 })
    }
}
