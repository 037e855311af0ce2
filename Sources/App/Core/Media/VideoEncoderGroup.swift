// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// One encoder and everyone who receives what it encodes. At most one picture waits for it: a newer one takes its place.
final class VideoEncoderGroup: Sendable {
    private struct State {
        var settings: VideoEncoderSettings
        var newSettings: VideoEncoderSettings?
        var routes: [VideoSendRoute] = []
        var encoder: (any VideoEncoder)?
        var waiting: VideoFrame?
        var isEncoding = false
        var demand = KeyframeDemand()
        var pace = FramePace()
        var encodeCount: UInt64 = 0
        var replaced: UInt64 = 0
    }

    private let adapters: Adapters
    private let lane: any Lane
    private let log: @Sendable (LogLine) -> Void
    private let state: Locked<State>

    init(_ settings: VideoEncoderSettings, adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        self.adapters = adapters
        self.log = log
        lane = adapters.scheduler.makeLane("encoder")
        state = Locked(State(settings: settings))
    }

    var settings: VideoEncoderSettings { state.withLock { $0.settings } }
    var isEmpty: Bool { state.withLock { $0.routes.isEmpty } }
    var routeCount: Int { state.withLock { $0.routes.count } }
    var encodeCount: UInt64 { state.withLock { $0.encodeCount } }
    func contains(_ id: PublicationID) -> Bool { state.withLock { $0.routes.contains { $0.id == id } } }
    func add(_ route: VideoSendRoute) { state.withLock { $0.routes.append(route) } }
    func remove(_ id: PublicationID) { state.withLock { $0.routes.removeAll { $0.id == id } } }
    func requestKeyframe() { state.withLock { $0.demand.requested() } }

    /// Takes new settings from the next picture on.
    func apply(_ settings: VideoEncoderSettings) {
        state.withLock { state in
            state.settings = settings
            state.newSettings = settings
        }
    }

    func push(_ frame: VideoFrame) {
        let mustStart = state.withLock { state in
            guard state.routes.contains(where: { $0.content == .media }) else { return false }
            guard state.pace.accepts(frame.captureTime, framesPerSecond: state.settings.frameRate) else { return false }
            if state.waiting != nil { state.replaced &+= 1 }
            state.waiting = frame
            defer { state.isEncoding = true }
            return !state.isEncoding
        }
        if mustStart { lane.async { [weak self] in self?.encodeWaiting() } }
    }

    private func encodeWaiting() {
        while true {
            let job = state.withLock { state in
                guard let frame = state.waiting else {
                    state.isEncoding = false
                    return nil as Job?
                }
                state.waiting = nil
                return makeJob(frame, &state)
            }
            guard let job else { return }
            encode(job)
        }
    }

    private struct Job {
        var frame: VideoFrame
        var encoder: (any VideoEncoder)?
        var settings: VideoEncoderSettings
        var newSettings: VideoEncoderSettings?
        var forcesKeyframe: Bool
    }

    private func makeJob(_ frame: VideoFrame, _ state: inout State) -> Job {
        let now = adapters.scheduler.now
        defer { state.newSettings = nil }
        return Job(
            frame: frame, encoder: state.encoder, settings: state.settings, newSettings: state.newSettings,
            forcesKeyframe: state.demand.takesForcedKeyframe(at: now))
    }

    private func encode(_ job: Job) {
        do throws(CodecError) {
            let encoder = try encoder(for: job)
            var picture = job.frame
            if picture.buffer.format == .bgra {
                picture.buffer = try adapters.pixelConverter.convert(picture.buffer, to: .i420)
            }
            guard let encoded = try encoder.encode(picture, forceKeyframe: job.forcesKeyframe) else { return }
            let now = adapters.scheduler.now
            let routes = state.withLock { state in
                state.encodeCount &+= 1
                if encoded.isKeyframe { state.demand.keyframeSent(at: now) }
                return state.routes
            }
            for route in routes {
                route.send(encoded, isPlaceholder: false, usesLayers: job.settings.temporalLayers > 1)
            }
        } catch {
            log(LogLine(.warning, "video", "A picture was not encoded: \(error)."))
        }
    }

    private func encoder(for job: Job) throws(CodecError) -> any VideoEncoder {
        if let encoder = job.encoder {
            if let settings = job.newSettings { try encoder.apply(settings) }
            return encoder
        }
        let encoder = try adapters.makeEncoder(job.settings)
        state.withLock { $0.encoder = encoder }
        return encoder
    }
}

/// Lets through at most so many pictures a second, evenly, by the time at which they were captured.
struct FramePace {
    private var due: Instant?

    /// A picture may come a quarter of an interval early: cameras are not metronomes.
    mutating func accepts(_ time: Instant, framesPerSecond: Int) -> Bool {
        let interval = Interval(nanoseconds: 1_000_000_000 / Int64(max(1, framesPerSecond)))
        guard let due else {
            self.due = time + interval
            return true
        }
        if time + interval / 4 < due, due - time < interval * 2 { return false }
        let next = due + interval
        self.due = next < time ? time + interval : next
        return true
    }
}
