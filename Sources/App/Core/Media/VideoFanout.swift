// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// One local video track on its way to all its recipients: each set of settings is encoded once, whoever receives it.
final class VideoFanout: Sendable {
    private struct State {
        var groups: [VideoEncoderGroup] = []
        var routes: [VideoSendRoute] = []
        var placeholder: PlaceholderSender?
        var isClosed = false
        var captured: Captured?
    }

    /// What the capturer delivered: how many pictures, and the size of the last.
    struct Captured: Sendable {
        var frames: UInt64
        var width: Int
        var height: Int
    }

    let trackID: TrackID
    private weak let track: LocalVideoTrack?
    private let adapters: Adapters
    private let log: @Sendable (LogLine) -> Void
    private let state = Locked(State())

    init(track: LocalVideoTrack, adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        trackID = track.trackID
        self.track = track
        self.adapters = adapters
        self.log = log
    }

    var captured: Captured? { state.withLock { $0.captured } }
    var routes: [VideoSendRoute] { state.withLock { $0.routes } }
    var isEmpty: Bool { state.withLock { $0.routes.isEmpty } }
    /// Encoders that run for this track.
    var encoderCount: Int { state.withLock { $0.groups.count } }
    /// Pictures encoded for this track since it was first published.
    var encodeCount: UInt64 { state.withLock { $0.groups }.reduce(0) { $0 + $1.encodeCount } }

    func size(of id: PublicationID) -> (width: Int, height: Int)? {
        state.withLock { $0.routes.first { $0.id == id } }?.size
    }

    // MARK: - Recipients

    func add(_ route: VideoSendRoute, _ options: VideoPublishOptions, _ content: OutletContent) {
        let group = state.withLock { state in
            state.routes.append(route)
            return encoderGroup(for: options, in: &state)
        }
        route.onKeyframeWanted { [weak self, weak route] in
            guard let self, let route else { return }
            requestKeyframe(of: route.id)
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
        updatePlaceholder()
    }

    func setContent(_ content: OutletContent, of id: PublicationID) {
        guard let route = state.withLock({ $0.routes.first { $0.id == id } }) else { return }
        route.content = content
        if content == .media { requestKeyframe(of: id) }
        updatePlaceholder()
    }

    /// Takes new settings. The only recipient of an encoder keeps it; one of several moves to another.
    func update(_ id: PublicationID, _ options: VideoPublishOptions) {
        let settings = options.encoderSettings(isScreenContent: isScreen)
        let moved: (VideoEncoderGroup, VideoSendRoute)? = state.withLock { state in
            guard let route = state.routes.first(where: { $0.id == id }),
                let old = state.groups.first(where: { $0.contains(id) }), old.settings != settings
            else { return nil }
            let other = state.groups.first { $0.settings == settings }
            if other == nil, old.routeCount == 1, old.settings.codec == settings.codec {
                old.apply(settings)
                return nil
            }
            old.remove(id)
            state.groups.removeAll { $0.isEmpty }
            return (encoderGroup(for: options, in: &state), route)
        }
        guard let (group, route) = moved else { return }
        route.awaitsKeyframe = true
        group.add(route)
        group.requestKeyframe()
    }

    // MARK: - Keyframes

    func requestKeyframe(of id: PublicationID) {
        state.withLock { $0.groups.first { $0.contains(id) } }?.requestKeyframe()
    }

    func requestKeyframe(forPeer peer: PeerID) {
        for route in state.withLock({ $0.routes.filter { $0.peer == peer } }) {
            route.awaitsKeyframe = true
            requestKeyframe(of: route.id)
        }
    }

    // MARK: - Frames

    /// A picture of the track: to every encoder that somebody watches. Runs on the capturer's thread.
    func push(_ frame: VideoFrame) {
        let groups = state.withLock { state in
            state.captured = Captured(
                frames: (state.captured?.frames ?? 0) &+ 1, width: frame.buffer.width, height: frame.buffer.height)
            return state.groups
        }
        for group in groups { group.push(frame) }
    }

    /// The track's placeholder changed.
    func placeholderChanged() {
        state.withLock { $0.placeholder }?.stop()
        state.withLock { $0.placeholder = nil }
        updatePlaceholder()
    }

    func close() {
        track?.detach(self)
        let (routes, placeholder) = state.withLock { state in
            state.isClosed = true
            defer { state = State(isClosed: true) }
            return (state.routes, state.placeholder)
        }
        placeholder?.stop()
        for route in routes { route.close() }
    }

    private var isScreen: Bool { track?.source == .screenShareVideo }

    private func encoderGroup(for options: VideoPublishOptions, in state: inout State) -> VideoEncoderGroup {
        let settings = options.encoderSettings(isScreenContent: isScreen)
        if let known = state.groups.first(where: { $0.settings == settings }) { return known }
        let group = VideoEncoderGroup(settings, adapters: adapters, log: log)
        state.groups.append(group)
        return group
    }

    private func updatePlaceholder() {
        let routes = state.withLock { $0.routes.filter { $0.content == .placeholder } }
        let sender: PlaceholderSender? = state.withLock { state in
            if state.placeholder == nil, !routes.isEmpty, !state.isClosed {
                state.placeholder = PlaceholderSender(picture: track?.mutePlaceholder, adapters: adapters, log: log)
            }
            defer { if routes.isEmpty { state.placeholder = nil } }
            return state.placeholder
        }
        sender?.setRoutes(routes)
    }
}
