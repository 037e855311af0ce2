// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Sends the picture that stands for a muted track, once a second, to all who are to see it. Encoded once.
final class PlaceholderSender: Sendable {
    private struct State {
        var routes: [VideoSendRoute] = []
        var encoded: EncodedVideoFrame?
        var timer: (any LaneTimer)?
        var isStopped = false
    }

    private let picture: PixelBuffer?
    private let adapters: Adapters
    private let lane: any Lane
    private let log: @Sendable (LogLine) -> Void
    private let state = Locked(State())

    /// - Parameter picture: what to show; nil: 16×16 black pixels.
    init(picture: PixelBuffer?, adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        self.picture = picture
        self.adapters = adapters
        self.log = log
        lane = adapters.scheduler.makeLane("placeholder")
    }

    /// Who sees it now; a newcomer gets it at once.
    func setRoutes(_ routes: [VideoSendRoute]) {
        let newcomers = state.withLock { state in
            let newcomers = routes.filter { route in !state.routes.contains { $0 === route } }
            state.routes = routes
            if routes.isEmpty { state.isStopped = true }
            return newcomers
        }
        lane.async { [weak self] in
            guard let self else { return }
            send(to: newcomers)
            arm()
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.routes = []
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func arm() {
        let now = adapters.scheduler.now
        state.withLock { state in
            guard state.timer == nil, !state.isStopped else { return }
            state.timer = lane.schedule(at: now + .seconds(1 as Int64)) { [weak self] in self?.tick() }
        }
    }

    private func tick() {
        let routes = state.withLock { state in
            state.timer = nil
            return state.routes
        }
        send(to: routes)
        arm()
    }

    private func send(to routes: [VideoSendRoute]) {
        guard !routes.isEmpty, var frame = encodedPicture() else { return }
        frame.captureTime = adapters.scheduler.now
        for route in routes { route.send(frame, isPlaceholder: true, usesLayers: false) }
    }

    private func encodedPicture() -> EncodedVideoFrame? {
        if let encoded = state.withLock({ $0.encoded }) { return encoded }
        do throws(CodecError) {
            let shown = VideoFrame(buffer: try pictureAsI420(), captureTime: adapters.scheduler.now)
            let settings = VideoEncoderSettings(
                bitrate: 500_000, frameRate: 1, quantizerMin: 4, quantizerMax: 40, keyframeInterval: 1)
            let encoder = try adapters.makeEncoder(settings)
            guard let encoded = try encoder.encode(shown, forceKeyframe: true) else { return nil }
            state.withLock { $0.encoded = encoded }
            return encoded
        } catch {
            log(LogLine(.warning, "video", "The placeholder was not encoded: \(error)."))
            return nil
        }
    }

    private func pictureAsI420() throws(CodecError) -> PixelBuffer {
        if let picture { return try adapters.pixelConverter.convert(picture, to: .i420) }
        guard let black = PixelBuffer(width: 16, height: 16, format: .i420) else {
            throw .failed(reason: "no memory for the placeholder")
        }
        black.withPlanes { planes in
            for index in planes.indices { planes[index].bytes.update(repeating: index == 0 ? 16 : 128) }
        }
        return black
    }
}
