// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Everyone who speaks, loudest first.
public struct SpeakerList: Equatable, Sendable {
    /// Somebody who speaks, and how loud.
    public struct Speaker: Equatable, Sendable {
        /// Who.
        public var peer: PeerID
        /// 0…1 in eighths.
        public var level: Float
        /// A speaker.
        public init(peer: PeerID, level: Float) {
            self.peer = peer
            self.level = level
        }
    }

    /// What a window changed.
    public struct Change: Equatable, Sendable {
        /// Who started (true) or stopped, in the order in which they came into the room.
        public var flips: [(PeerID, Bool)]
        /// The list, when it or a level in it differs from the one before.
        public var list: [Speaker]?

        /// Whether both say the same.
        public static func == (left: Change, right: Change) -> Bool {
            left.list == right.list && left.flips.count == right.flips.count
                && zip(left.flips, right.flips).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
        }
    }

    /// The list now.
    public private(set) var speakers: [Speaker] = []
    private var participants: [(peer: PeerID, activity: SpeechActivity)] = []

    /// Nobody is there.
    public init() {}

    /// Whether nobody speaks and nobody was heard: no window needs to end.
    public var isQuiet: Bool { participants.allSatisfy { $0.activity == SpeechActivity() } }

    /// Takes a frame's level.
    public mutating func heard(_ peer: PeerID, level: UInt8, lasting duration: Interval) {
        guard level <= SpeechActivity.voiceLevel else { return }
        if let index = participants.firstIndex(where: { $0.peer == peer }) {
            participants[index].activity.heard(level: level, lasting: duration)
        } else {
            var activity = SpeechActivity()
            activity.heard(level: level, lasting: duration)
            participants.append((peer, activity))
        }
    }

    /// Ends everybody's window.
    public mutating func endWindow() -> Change {
        change { participants in
            for index in participants.indices { participants[index].activity.endWindow() }
        }
    }

    /// Somebody was muted or left: they stop at once.
    public mutating func clear(_ peer: PeerID) -> Change {
        change { $0.removeAll { $0.peer == peer } }
    }

    /// Everyone has left.
    public mutating func clearAll() -> Change { change { $0.removeAll() } }

    private mutating func change(_ body: (inout [(peer: PeerID, activity: SpeechActivity)]) -> Void) -> Change {
        let before = participants.filter { $0.activity.reading.isSpeaking }.map { $0.peer }
        let old = speakers
        body(&participants)
        let now = participants.filter { $0.activity.reading.isSpeaking }
        let stopped = before.filter { peer in !now.contains { $0.peer == peer } }.map { ($0, false) }
        let started = now.filter { !before.contains($0.peer) }.map { ($0.peer, true) }
        // Equal levels keep the order in which their speakers came, so that the list does not flicker.
        speakers = now.map { Speaker(peer: $0.peer, level: $0.activity.reading.level) }
            .enumerated().sorted { ($1.element.level, $0.offset) < ($0.element.level, $1.offset) }.map { $0.element }
        return Change(flips: stopped + started, list: speakers == old ? nil : speakers)
    }

    /// Whether both lists say the same.
    public static func == (left: SpeakerList, right: SpeakerList) -> Bool {
        left.speakers == right.speakers && left.participants.count == right.participants.count
            && zip(left.participants, right.participants).allSatisfy {
                $0.peer == $1.peer && $0.activity == $1.activity
            }
    }
}
