// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// One local audio track on its way to all its recipients: each set of settings is encoded once, and silence once for all
/// who are to hear silence.
final class AudioFanout: Sendable {
    private struct State {
        var groups: [AudioEncoderGroup] = []
        var routes: [AudioSendRoute] = []
        var silence: SilenceSender?
        var isClosed = false
    }

    let trackID: TrackID
    private weak let track: LocalAudioTrack?
    private let adapters: Adapters
    private let log: @Sendable (LogLine) -> Void
    private let state = Locked(State())

    init(track: LocalAudioTrack, adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        trackID = track.trackID
        self.track = track
        self.adapters = adapters
        self.log = log
    }

    var routes: [AudioSendRoute] { state.withLock { $0.routes } }
    var isEmpty: Bool { state.withLock { $0.routes.isEmpty } }
    var encodeCount: UInt64 { state.withLock { $0.groups }.reduce(0) { $0 + $1.encodeCount } }

    func add(_ route: AudioSendRoute, _ options: AudioPublishOptions, _ content: OutletContent) {
        let group = state.withLock { state in
            state.routes.append(route)
            return encoderGroup(for: options, in: &state)
        }
        group.add(route)
        setContent(content, of: route.id)
    }

    func remove(_ id: PublicationID) {
        let route = state.withLock { state in
            let route = state.routes.first { $0.id == id }
            state.routes.removeAll { $0.id == id }
            for group in state.groups { group.remove(id) }
            state.groups.removeAll { $0.isEmpty }
            return route
        }
        route?.content = .nothing
        route?.close()
        updateSilence()
    }

    func setContent(_ content: OutletContent, of id: PublicationID) {
        guard let route = state.withLock({ $0.routes.first { $0.id == id } }) else { return }
        route.content = content
        updateSilence()
    }

    func update(_ id: PublicationID, _ options: AudioPublishOptions) {
        let moved: (AudioEncoderGroup, AudioSendRoute)? = state.withLock { state in
            guard let route = state.routes.first(where: { $0.id == id }) else { return nil }
            for group in state.groups { group.remove(id) }
            state.groups.removeAll { $0.isEmpty }
            return (encoderGroup(for: options, in: &state), route)
        }
        if let (group, route) = moved { group.add(route) }
    }

    /// Sound of the track. Runs on the capturer's thread.
    func push(_ chunk: AudioChunk) {
        for group in state.withLock({ $0.groups }) { group.push(chunk) }
    }

    func close() {
        track?.detach(self)
        let (routes, silence) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.routes, state.silence)
        }
        silence?.stop()
        for route in routes { route.close() }
    }

    private func encoderGroup(for options: AudioPublishOptions, in state: inout State) -> AudioEncoderGroup {
        let settings = options.encoderSettings(sourceChannels: 2)
        if let known = state.groups.first(where: { $0.settings == settings }) { return known }
        let group = AudioEncoderGroup(settings, adapters: adapters, log: log)
        state.groups.append(group)
        return group
    }

    private func updateSilence() {
        let routes = state.withLock { $0.routes.filter { $0.content == .placeholder } }
        let sender: SilenceSender? = state.withLock { state in
            if state.silence == nil, !routes.isEmpty, !state.isClosed {
                state.silence = SilenceSender(adapters: adapters, log: log)
            }
            defer { if routes.isEmpty { state.silence = nil } }
            return state.silence
        }
        sender?.setRoutes(routes)
    }
}
