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
    }

    private let state = Locked(State())
    private let makeCamera: Adapters.CameraMaker?
    private let lane: any Lane

    init(makeCamera: Adapters.CameraMaker?, scheduler: any Scheduler) {
        self.makeCamera = makeCamera
        lane = scheduler.makeLane("camera")
    }

    /// Switches the camera; the last call wins. `failed` is called when it could not be started.
    func setRunning(_ wanted: Bool, _ request: VideoCaptureRequest, failed: @escaping @Sendable (CaptureError) -> Void)
    {
        state.withLock { $0.isWanted = wanted }
        lane.async { [weak self] in self?.settle(request, failed) }
    }

    private func settle(_ request: VideoCaptureRequest, _ failed: @Sendable (CaptureError) -> Void) {
        let (isWanted, running) = state.withLock { ($0.isWanted, $0.source) }
        if isWanted, running == nil {
            do throws(CaptureError) {
                try start(request)
            } catch {
                state.withLock { $0.isWanted = false }
                failed(error)
            }
        } else if !isWanted, let running {
            running.stop()
            state.withLock { $0.source = nil }
            setState(.idle)
            setDimensions(nil)
        }
    }

    private func start(_ request: VideoCaptureRequest) throws(CaptureError) {
        guard let makeCamera else { throw .notFound(name: "camera") }
        let source = try makeCamera()
        setState(.capturing)
        do throws(CaptureError) {
            try source.start(request) { [weak self] frame in
                guard let self, state.withLock({ $0.isWanted }) else { return }
                emit(CapturedFrame(picture: frame.buffer, captureTime: frame.captureTime))
            }
        } catch {
            setState(.idle)
            throw error
        }
        state.withLock { $0.source = source }
    }
}
