// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// Takes the app's own frames into a track. Idle, it drops what it is given: call `startCapture()` first.
public class BufferCapturer: VideoCapturer, @unchecked Sendable {
    // SAFETY: no stored state of its own but a lock.
    private let converter = Locked<(any PixelConverter)?>(nil)

    /// Begins to take frames.
    public override func startCapture() async throws { try await super.startCapture() }

    /// Stops taking frames.
    public override func stopCapture() async throws { try await super.stopCapture() }

    /// Takes a frame captured now, at its own size; NV12, I420 or BGRA. Any thread but main.
    public func capture(_ pixelBuffer: CVPixelBuffer) { push(pixelBuffer, captureTime: nil) }

    /// Takes a frame.
    ///
    /// - Parameters:
    ///   - pixelBuffer: the picture.
    ///   - timeStampNs: when it was captured, in nanoseconds of the system's monotonic clock; 0 or less: now.
    ///   - rotation: how far to turn it clockwise to make it upright; a quarter turn swaps width and height.
    public func capture(_ pixelBuffer: CVPixelBuffer, timeStampNs: Int64, rotation: VideoRotation) {
        let time = timeStampNs > 0 ? Instant(nanoseconds: timeStampNs) : nil
        guard rotation != ._0 else { return push(pixelBuffer, captureTime: time) }
        guard let upright = PictureRotation.turn(pixelBuffer, rotation) else { return }
        push(upright, captureTime: time)
    }

    private func push(_ picture: PixelBuffer, captureTime: Instant?) {
        guard captureState == .capturing else { return }
        emit(CapturedFrame(picture: picture, captureTime: captureTime))
    }
}
