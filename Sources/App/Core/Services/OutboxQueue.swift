// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// What waits for main, first in, first out, and bounded without ever changing the order of what is delivered.
///
/// - While little waits, nothing is touched: every change is told.
/// - When much waits, of several changes of one property of one object only the newest stays, in its own place.
/// - Of each peer at most `peerLimit` events wait. Whoever feeds the queue asks `isFull(of:)` first and takes nothing more
///   from that peer: its messages then have no receipt, and it sends them again. Texts outside the room cannot be held
///   back that way, because the transport has given their receipt; what exceeds the limit is dropped.
struct OutboxQueue {
    /// How many events of one peer may wait.
    static let peerLimit = 256
    /// From how many items on changes are told as one.
    static let slack = 256

    private var items: [MainOutbox.Item?] = []
    private var head = 0
    private var waiting: [PeerID: Int] = [:]
    private var nextCompaction = slack

    var count: Int { items.count - head }

    func isFull(of peer: PeerID) -> Bool { waiting[peer, default: 0] >= Self.peerLimit }

    /// False when the item is a text that exceeds its friend's limit.
    mutating func append(_ item: MainOutbox.Item) -> Bool {
        if case .notice(.text(let peer, _)) = item, isFull(of: peer) { return false }
        if let peer = item.peer { waiting[peer, default: 0] += 1 }
        items.append(item)
        if count >= nextCompaction { compact() }
        return true
    }

    mutating func removeFirst() -> MainOutbox.Item? {
        guard head < items.count, let first = items[head] else { return nil }
        items[head] = nil
        head += 1
        if let peer = first.peer { release(peer) }
        if head == items.count {
            (items, head, nextCompaction) = ([], 0, Self.slack)
        } else if head >= 64, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return first
    }

    private mutating func release(_ peer: PeerID) {
        guard let count = waiting[peer] else { return }
        waiting[peer] = count > 1 ? count - 1 : nil
    }

    /// Leaves the newest change of each property alone. Runs each time what waits has doubled.
    private mutating func compact() {
        var newest: [MainOutbox.Key: Int] = [:]
        var kept: [MainOutbox.Item] = []
        for case .some(let item) in items[head...].reversed() {
            if let key = item.key, let place = newest[key] {
                kept[place] = kept[place].merging(older: item)
                if let peer = item.peer { release(peer) }
            } else {
                if let key = item.key { newest[key] = kept.count }
                kept.append(item)
            }
        }
        (items, head) = (kept.reversed(), 0)
        nextCompaction = max(Self.slack, 2 * items.count)
    }
}

extension MainOutbox {
    /// A property of an object.
    enum Key: Hashable {
        case selfReachability, selfName, selfStatusMessage, selfAvailability
        case paths(PeerID), name(PeerID), statusMessage(PeerID), availability(PeerID)
        case trackMuted(TrackID), publicationMuted(PublicationID), remoteMuted(PeerID, PublicationID)
        case speakers, statistics, codec(ObjectIdentifier)
    }
}

extension MainOutbox.Item {
    /// The property that the item tells of; nil for what happens rather than is.
    var key: MainOutbox.Key? {
        switch self {
        case .notice(let notice): notice.key
        case .finish: nil
        case .speakers: .speakers
        case .statistics: .statistics
        case .codec(let publication, _): .codec(publication.id)
        }
    }

    /// The peer on whose account the item waits.
    var peer: PeerID? {
        if case .notice(let notice) = self { notice.cause } else { nil }
    }

    /// What is left to tell of two items with the same key.
    func merging(older: MainOutbox.Item) -> MainOutbox.Item {
        switch (self, older) {
        case (.speakers(let change, let speakers), .speakers(let before, _)):
            var merged = change
            merged.flips = before.flips.filter { flip in !change.flips.contains { $0.0 == flip.0 } } + change.flips
            merged.list = change.list ?? before.list
            return .speakers(merged, speakers)
        case (.statistics(let report), .statistics(let before)): return .statistics(report.merging(older: before))
        default: return self
        }
    }
}

extension StatisticsReport {
    func merging(older: StatisticsReport) -> StatisticsReport {
        var merged = self
        let (peers, keys) = (Set(qualities.map(\.0)), Set(statistics.map(\.0)))
        merged.qualities = older.qualities.filter { !peers.contains($0.0) } + qualities
        merged.statistics = older.statistics.filter { !keys.contains($0.0) } + statistics
        return merged
    }
}

extension Notice {
    fileprivate var key: MainOutbox.Key? {
        switch self {
        case .selfReachability: .selfReachability
        case .selfName: .selfName
        case .selfStatusMessage: .selfStatusMessage
        case .selfAvailability: .selfAvailability
        case .paths(let peer, _): .paths(peer)
        case .name(let peer, _): .name(peer)
        case .statusMessage(let peer, _): .statusMessage(peer)
        case .availability(let peer, _): .availability(peer)
        case .trackMuted(let id, _): .trackMuted(id)
        case .publicationMuted(let id, _): .publicationMuted(id)
        case .remoteMuted(let peer, let id, _): .remoteMuted(peer, id)
        case .friendRequest, .text, .sentInvitation, .receivedInvitation, .endedInvitation, .connected, .disconnected,
            .published, .unpublished, .subscribed, .unsubscribed, .message, .muteRequest:
            nil
        }
    }

    /// The peer that can make the notice come as often as it likes.
    fileprivate var cause: PeerID? {
        switch self {
        case .friendRequest(let peer, _), .paths(let peer, _), .name(let peer, _), .statusMessage(let peer, _),
            .availability(let peer, _), .text(let peer, _), .receivedInvitation(let peer, _),
            .endedInvitation(let peer, _), .connected(let peer), .disconnected(let peer, _),
            .subscribed(let peer, _, _, _), .unsubscribed(let peer, _), .remoteMuted(let peer, _, _),
            .message(let peer, _), .muteRequest(let peer, _):
            peer
        case .selfReachability, .selfName, .selfStatusMessage, .selfAvailability, .sentInvitation, .published,
            .unpublished, .trackMuted, .publicationMuted:
            nil
        }
    }
}
