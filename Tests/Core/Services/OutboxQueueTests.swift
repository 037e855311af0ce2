// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueCore

struct OutboxQueueTests {
    private let alice: PeerID
    private let bob: PeerID

    init() throws {
        alice = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        bob = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
    }

    private func drain(_ queue: inout OutboxQueue) -> [Notice] {
        var notices: [Notice] = []
        while let item = queue.removeFirst() {
            if case .notice(let notice) = item { notices.append(notice) }
        }
        return notices
    }

    @Test func `while little waits, every change is told`() {
        var queue = OutboxQueue()
        let notices = (0..<200).map { Notice.name(alice, "\($0)") }
        let results = notices.map { queue.append(.notice($0)) }
        #expect(results.allSatisfy { $0 })
        #expect(drain(&queue) == notices)
    }

    @Test func `when main is slow, only the newest of each property waits, and what happened keeps its order`() {
        var queue = OutboxQueue()
        for number in 0..<100_000 {
            _ = queue.append(.notice(.name(alice, "\(number)")))
            _ = queue.append(.notice(.paths(alice, number.isMultiple(of: 2) ? [] : [.udpDirect])))
            if number == 10 || number == 90_000 { _ = queue.append(.notice(.message(alice, "\(number)"))) }
        }
        #expect(queue.count <= 2 * OutboxQueue.slack)
        let notices = drain(&queue)
        let events = notices.compactMap { notice in if case .message(_, let text) = notice { text } else { nil } }
        #expect(events == ["10", "90000"])
        #expect(notices.suffix(2) == [.name(alice, "99999"), .paths(alice, [.udpDirect])])
        let names = notices.compactMap { notice -> Int? in
            if case .name(_, let name) = notice { Int(name) } else { nil }
        }
        #expect(names == names.sorted())
    }

    @Test func `of one friend's texts no more wait than the limit, and others are not concerned`() {
        var queue = OutboxQueue()
        let results = (0..<1_000).map { queue.append(.notice(.text(alice, "\($0)"))) }
        #expect(results.filter { $0 }.count == OutboxQueue.peerLimit)
        #expect(queue.isFull(of: alice) && !queue.isFull(of: bob))
        let fromBob = queue.append(.notice(.text(bob, "still")))
        let first = queue.removeFirst()
        let again = queue.append(.notice(.text(alice, "again")))
        #expect(fromBob && first != nil && again)
        let texts = drain(&queue)
        #expect(texts.first == .text(alice, "1") && texts.suffix(2) == [.text(bob, "still"), .text(alice, "again")])
        #expect(!queue.isFull(of: alice))
    }

    @Test func `changes of who speaks that are told as one say what changed since the last telling`() throws {
        var list = SpeakerList()
        list.heard(alice, level: 20, lasting: .milliseconds(400))
        let begin = list.endWindow()
        let first = list.speakers
        list.heard(bob, level: 10, lasting: .milliseconds(400))
        list.heard(alice, level: 20, lasting: .milliseconds(400))
        let more = list.endWindow()
        let merged = MainOutbox.Item.speakers(more, list.speakers).merging(older: .speakers(begin, first))
        guard case .speakers(let change, let speakers) = merged else {
            Issue.record("another item")
            return
        }
        #expect(change.flips.map(\.0) == [alice, bob] && change.flips.allSatisfy { $0.1 })
        #expect(speakers == list.speakers && change.list == list.speakers)
    }

    @Test func `seconds of statistics that are told as one keep the newest of each object`() {
        let older = StatisticsReport(
            qualities: [(alice, .good), (bob, .poor)],
            statistics: [(.local(PublicationID(rawValue: 1)), TrackStatistics())])
        let newer = StatisticsReport(qualities: [(alice, .bad)], statistics: [])
        let merged = newer.merging(older: older)
        #expect(merged.qualities.map(\.0) == [bob, alice] && merged.qualities.map(\.1) == [.poor, .bad])
        #expect(merged.statistics.count == 1)
    }
}
