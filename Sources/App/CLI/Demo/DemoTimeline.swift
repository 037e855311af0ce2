// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The two people of the demonstration. Alice calls.
enum DemoPerson: String, CaseIterable, Sendable {
    case alice = "Alice"
    case bob = "Bob"

    var other: DemoPerson { self == .alice ? .bob : .alice }
}

/// All that both peers told, in the order in which it happened, and what follows from it.
struct DemoTimeline {
    struct Entry {
        /// Nanoseconds on the machine's monotonic clock.
        var time: Int64
        var person: DemoPerson
        var event: PeerEvent
    }

    /// When the demonstration began, on the same clock.
    let start: Int64
    private(set) var entries: [Entry] = []

    init(start: Int64) { self.start = start }

    mutating func append(_ line: PeerLine, of person: DemoPerson) {
        entries.append(Entry(time: line.time, person: person, event: line.event))
    }

    /// Seconds since the start.
    func seconds(_ time: Int64) -> Double { Double(time - start) / 1e9 }

    /// When a person first told this, or something like it.
    func time(of person: DemoPerson, where matches: (PeerEvent) -> Bool) -> Int64? {
        entries.first { $0.person == person && matches($0.event) }?.time
    }

    /// What a person told last, as `value` picks it.
    func last<Value>(of person: DemoPerson, _ value: (PeerEvent) -> Value?) -> Value? {
        entries.last { $0.person == person && value($0.event) != nil }.flatMap { value($0.event) }
    }

    func sent(by person: DemoPerson) -> SentSummary? {
        last(of: person) { if case .sent(let summary) = $0 { summary } else { nil } }
    }

    func received(by person: DemoPerson) -> ReceivedSummary? {
        last(of: person) { if case .received(let summary) = $0 { summary } else { nil } }
    }

    func samples(of person: DemoPerson) -> [SecondSample] {
        entries.compactMap { entry in
            guard entry.person == person, case .second(let sample) = entry.event else { return nil }
            return sample
        }
    }

    /// When a person's camera was muted, in seconds since the other one was connected: the clock of their samples.
    func muted(_ person: DemoPerson) -> [ClosedRange<Double>] {
        guard let connected = time(of: person.other, where: { if case .connected = $0 { true } else { false } })
        else { return [] }
        var spans: [ClosedRange<Double>] = []
        var since: Double?
        for entry in entries where entry.person == person {
            guard case .cameraMuted(let isMuted) = entry.event else { continue }
            let time = Double(entry.time - connected) / 1e9
            if isMuted {
                since = time
            } else if let start = since {
                spans.append(start...max(start, time))
                since = nil
            }
        }
        return spans
    }

    /// The steps that a call consists of, each with whether it happened.
    func requiredSteps() -> [CallReport.Check] {
        let all: [(String, DemoPerson, (PeerEvent) -> Bool)] = [
            (
                "is on the network", .alice,
                { if case .reachability(let state) = $0 { state != "offline" } else { false } }
            ),
            (
                "is on the network", .bob,
                { if case .reachability(let state) = $0 { state != "offline" } else { false } }
            ),
            ("sends a friend request", .alice, { if case .friendRequestSent = $0 { true } else { false } }),
            ("gets the friend request", .bob, { if case .friendRequest = $0 { true } else { false } }),
            ("accepts it", .bob, { if case .friendAccepted = $0 { true } else { false } }),
            ("has a path to Bob", .alice, { if case .paths(_, let bits) = $0 { bits != 0 } else { false } }),
            ("invites", .alice, { if case .invited = $0 { true } else { false } }),
            ("is invited", .bob, { if case .invitation = $0 { true } else { false } }),
            ("accepts the call", .bob, { if case .accepted = $0 { true } else { false } }),
            ("is connected", .alice, { if case .connected = $0 { true } else { false } }),
            ("is connected", .bob, { if case .connected = $0 { true } else { false } }),
            ("publishes video", .alice, { if case .published("video", _) = $0 { true } else { false } }),
            ("publishes sound", .alice, { if case .published("audio", _) = $0 { true } else { false } }),
            ("publishes video", .bob, { if case .published("video", _) = $0 { true } else { false } }),
            ("publishes sound", .bob, { if case .published("audio", _) = $0 { true } else { false } }),
            ("gets video", .alice, { if case .subscribed("video", _) = $0 { true } else { false } }),
            ("gets sound", .alice, { if case .subscribed("audio", _) = $0 { true } else { false } }),
            ("gets video", .bob, { if case .subscribed("video", _) = $0 { true } else { false } }),
            ("gets sound", .bob, { if case .subscribed("audio", _) = $0 { true } else { false } }),
            ("mutes the camera", .alice, { $0 == .cameraMuted(true) }),
            ("sees the camera muted", .bob, { $0 == .remoteMuted(kind: "video", true) }),
            ("unmutes the camera", .alice, { $0 == .cameraMuted(false) }),
            ("sees the camera again", .bob, { $0 == .remoteMuted(kind: "video", false) }),
            ("hangs up", .alice, { $0 == .hungUp }),
            ("hears of the end", .bob, { $0 == .disconnected(reason: "leave") }),
        ]
        return all.map { text, person, matches in
            let time = time(of: person, where: matches)
            return CallReport.Check(
                name: "\(person.rawValue) \(text)",
                measured: time.map { Format.fixed(seconds($0), 2) + " s" } ?? "never",
                limit: "happens", passed: time != nil)
        }
    }
}

extension PeerEvent {
    /// The event as a step that a person takes; nil for what is no step.
    var sentence: String? {
        switch self {
        case .ready(let id, _, let friends):
            "starts as \(id.prefix(8))…" + (friends > 0 ? ", knows \(friends) friend(s)" : "")
        case .reachability(let state): state == "offline" ? "is off the network" : "is on the network (\(state))"
        case .friendRequestSent(let address): "sends a friend request to \(address.prefix(8))…"
        case .friendRequest(let from, let message): "gets a friend request from \(from.prefix(8))…: “\(message)”"
        case .friendAccepted: "accepts the friend request"
        case .paths(_, let bits):
            bits == 0 ? "has no path to the friend" : "reaches the friend (\(Self.names(ofPaths: bits)))"
        case .invited: "invites"
        case .invitation: "is invited"
        case .accepted: "accepts the call"
        case .invitationEnded(_, let reason): "sees the invitation end: \(reason)"
        case .connected: "is connected"
        case .published(let kind, let options): "publishes \(kind)" + (options.isEmpty ? "" : " (\(options))")
        case .subscribed(let kind, let mimeType): "gets \(kind)" + (mimeType.isEmpty ? "" : " (\(mimeType))")
        case .unsubscribed(let kind): "gets no \(kind) any more"
        case .cameraMuted(let isMuted): isMuted ? "mutes the camera" : "unmutes the camera"
        case .remoteMuted(let kind, let isMuted): "sees the friend's \(kind) \(isMuted ? "muted" : "come back")"
        case .hungUp: "hangs up"
        case .disconnected(let reason): "sees the call end (\(reason))"
        case .warning(let text): "warns: \(text)"
        case .failed(let text): "fails: \(text)"
        case .second, .sent, .received: nil
        }
    }

    private static func names(ofPaths bits: Int) -> String {
        [(1, "UDP direct"), (2, "UDP relay"), (4, "TCP relay")].filter { bits & $0.0 != 0 }.map(\.1)
            .joined(separator: ", ")
    }
}
