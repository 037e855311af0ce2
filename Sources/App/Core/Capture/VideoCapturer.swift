// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// A frame on its way from a capturer into its track.
struct CapturedFrame: Sendable {
    var picture: PixelBuffer
    /// On the scheduler's clock; nil: now.
    var captureTime: Instant?
}

/// What fills a local video track. Made by the SDK with the track.
public class VideoCapturer: @unchecked Sendable {
    // SAFETY: what changes is behind `state`.
    private struct State {
        var captureState = CaptureState.idle
        var dimensions: CMVideoDimensions?
        var sink: (@Sendable (CapturedFrame) -> Void)?
    }

    private let state = Locked(State())

    /// Hear of size and state, on main.
    public let delegates = MulticastDelegate<any VideoCapturerDelegate>()

    init() {}

    /// Whether it captures.
    public var captureState: CaptureState { state.withLock { $0.captureState } }

    /// The size of the frames that it really delivers; nil before the first and after the last.
    public var dimensions: CMVideoDimensions? { state.withLock { $0.dimensions } }

    /// Begins to capture. On the camera, the microphone and the screen use the switches of `LocalParticipant`.
    public func startCapture() async throws { setState(.capturing) }

    /// Ends capturing.
    public func stopCapture() async throws {
        setState(.idle)
        setDimensions(nil)
    }

    // MARK: - Inside

    func setSink(_ sink: @escaping @Sendable (CapturedFrame) -> Void) { state.withLock { $0.sink = sink } }

    func emit(_ frame: CapturedFrame) { state.withLock { $0.sink }?(frame) }

    func measure(_ picture: PixelBuffer) {
        setDimensions(CMVideoDimensions(width: Int32(picture.width), height: Int32(picture.height)))
    }

    func setState(_ new: CaptureState) {
        let changed = state.withLock { state in
            defer { state.captureState = new }
            return state.captureState != new
        }
        guard changed else { return }
        onMain { [self] in delegates.notify { $0.capturer(self, didUpdate: new) } }
    }

    func setDimensions(_ new: CMVideoDimensions?) {
        let changed = state.withLock { state in
            defer { state.dimensions = new }
            return state.dimensions != new
        }
        guard changed else { return }
        onMain { [self] in delegates.notify { $0.capturer(self, didUpdate: new) } }
    }

    /// Delegates of a capturer that belongs to no instance are told through the main actor itself.
    func onMain(_ action: @escaping @MainActor @Sendable () -> Void) { Task { @MainActor in action() } }
}
