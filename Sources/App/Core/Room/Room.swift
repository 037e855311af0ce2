// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// Everyone in a call with this instance: the local participant and each connected friend.
///
/// A room is never joined or left: friends come when an invitation is accepted and go when their call ends.
public class Room: ObservableObject, @unchecked Sendable {
    // SAFETY: every stored property is immutable, a `Published` or a `Locked`, which guard themselves.
    private struct State {
        var driver: WeakDriver = WeakDriver()
        var isSpeakerMuted = false
        var reportStatistics = false
    }

    private struct WeakDriver: Sendable {
        weak var driver: SessionDriver?
    }

    /// Hear of everything in the room, on main. `destroy()` removes all.
    public let delegates = MulticastDelegate<any RoomDelegate>()

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// You; nil before `initialize` and after `destroy`.
    @Published public internal(set) var localParticipant: LocalParticipant!
    /// Each connected friend, by friend ID.
    @Published public internal(set) var remoteParticipants: [String: RemoteParticipant] = [:]

    /// Everyone who speaks, loudest first, you included.
    @Published public internal(set) var activeSpeakers: [Participant] = []

    private let state = Locked(State())
    let feed = EventFeed<RoomEvent> { count, _ in .missed(count) }

    init() {}

    /// What happens in the room from now on, in the order in which the delegates hear of it. Any thread; any number of
    /// loops at once. Ends with `destroy()`.
    public var events: EventStream<RoomEvent> { EventStream(feed) }

    /// You and everyone connected, you first, the others in the order of their IDs.
    public var allParticipants: [Participant] {
        let remote = remoteParticipants.values.sorted { $0.identity < $1.identity }
        guard let local = localParticipant else { return remote }
        return [local] + remote
    }

    /// How many `allParticipants` are.
    public var participantCount: Int { allParticipants.count }

    /// How many of them publish something.
    public var publishersCount: Int { allParticipants.filter { !$0.trackPublications.isEmpty }.count }

    /// Stops playing all received sound; it is received all the same.
    public var isSpeakerMuted: Bool {
        get { state.withLock { $0.isSpeakerMuted } }
        set {
            let driver = state.withLock { state in
                state.isSpeakerMuted = newValue
                return state.driver.driver
            }
            driver?.media.playback.isMuted = newValue
        }
    }

    /// The mix of all received sound, at each track's volume, whether or not the speaker is muted; nil while no instance
    /// runs. Give it a renderer, or publish it as any other track. It costs nothing while nobody listens.
    public var roomOutputTrack: LocalAudioTrack? { driver?.media.playback.output }

    /// Whether statistics are collected once a second for everything that is sent and received. Off: no work.
    public var reportStatistics: Bool {
        get { state.withLock { $0.reportStatistics } }
        set {
            let driver = state.withLock { state in
                state.reportStatistics = newValue
                return state.driver.driver
            }
            driver?.statistics.isReporting = newValue
        }
    }

    /// Hangs up on everyone and unmutes the camera track; their events are delivered before this returns.
    @MainActor public func disconnectAll() {
        guard let driver else { return }
        for peer in driver.read({ $0.connectedPeers }) {
            driver.perform { session, now in session.hangUp(peer, at: now) }
        }
        localParticipant?.cameraTrack.setMuted(false)
    }

    var driver: SessionDriver? {
        get { state.withLock { $0.driver.driver } }
        set {
            let (isMuted, reports) = state.withLock { state in
                state.driver = WeakDriver(driver: newValue)
                return (state.isSpeakerMuted, state.reportStatistics)
            }
            newValue?.media.playback.isMuted = isMuted
            newValue?.statistics.isReporting = reports
        }
    }
}
