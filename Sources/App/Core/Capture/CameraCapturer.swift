// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// The camera of a camera track, switched by `LocalParticipant.setCamera(enabled:)`.
public class CameraCapturer: VideoCapturer, @unchecked Sendable {
    // SAFETY: what changes is behind `state`.
    private struct State {
        var source: (any VideoSource)?
        var isWanted = false
        var options = CameraCaptureOptions()
        /// What the camera runs with, or last ran with: what it goes back to when `options` cannot be had.
        var applied = CameraCaptureOptions()
    }

    /// Why the camera is not as it was asked for.
    enum Failure {
        /// The options could not be had; it runs with those that it had.
        case options(CaptureError)
        /// It does not run.
        case camera(CaptureError)
    }

    private let state = Locked(State())
    private let makeCamera: Adapters.CameraMaker?
    private let lane: any Lane

    init(makeCamera: Adapters.CameraMaker?, scheduler: any Scheduler) {
        self.makeCamera = makeCamera
        lane = scheduler.makeLane("camera")
    }

    /// What the camera is asked for: what was set last, whether it runs or not. Any thread.
    public var options: CameraCaptureOptions { state.withLock { $0.options } }

    /// Switches the camera, and changes its options when new ones are given; the last call wins.
    ///
    /// A camera that runs takes a new size or rate without going idle. `failed` hears of what could not be had.
    func setRunning(
        _ wanted: Bool, _ options: CameraCaptureOptions?, failed: @escaping @Sendable (Failure) -> Void
    ) {
        state.withLock { state in
            state.isWanted = wanted
            if let options { state.options = options }
        }
        lane.async { [weak self] in self?.settle(failed) }
    }

    private func settle(_ failed: @Sendable (Failure) -> Void) {
        let now = state.withLock { $0 }
        if now.isWanted {
            if let running = now.source {
                guard now.options.request != now.applied.request else { return keep(now.options) }
                running.stop()
            }
            run(now.options, orElse: now.applied, failed)
        } else if let running = now.source {
            running.stop()
            state.withLock { $0.source = nil }
            setState(.idle)
            setDimensions(nil)
        }
    }

    /// Opens the camera with new options or, when it does not have them, with those that it had.
    private func run(
        _ options: CameraCaptureOptions, orElse former: CameraCaptureOptions, _ failed: @Sendable (Failure) -> Void
    ) {
        do throws(CaptureError) {
            try start(options)
        } catch {
            guard options !== former, (try? start(former)) != nil else {
                state.withLock { state in
                    state.isWanted = false
                    state.source = nil
                }
                setState(.idle)
                setDimensions(nil)
                return failed(.camera(error))
            }
            state.withLock { state in
                if state.options === options { state.options = former }
            }
            failed(.options(error))
        }
    }

    private func start(_ options: CameraCaptureOptions) throws(CaptureError) {
        guard let makeCamera else { throw .notFound(name: "camera") }
        let (size, rate) = (options.dimensions, options.fps)
        guard size.width > 0, size.height > 0, rate > 0 else {
            throw .unreadable(name: "camera", reason: "no picture is \(size.width)×\(size.height) at \(rate)/s")
        }
        let source = try makeCamera()
        setState(.capturing)
        try source.start(options.request) { [weak self] frame in self?.captured(frame) }
        state.withLock { $0.source = source }
        keep(options)
    }

    private func keep(_ options: CameraCaptureOptions) { state.withLock { $0.applied = options } }

    private func captured(_ frame: VideoFrame) {
        let (isWanted, isMirrored) = state.withLock { ($0.isWanted, $0.options.isMirrored) }
        guard isWanted, let picture = isMirrored ? PictureRotation.mirror(frame.buffer) : frame.buffer else { return }
        emit(CapturedFrame(picture: picture, captureTime: frame.captureTime))
    }
}

extension CameraCaptureOptions {
    fileprivate var request: VideoCaptureRequest {
        VideoCaptureRequest(width: Int(dimensions.width), height: Int(dimensions.height), frameRate: fps)
    }
}
