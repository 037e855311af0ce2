// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Hears of one video capturer. Called on the main thread, with the value of the moment of the change; implement what
/// you need.
public protocol VideoCapturerDelegate: AnyObject {
    /// The size of the frames changed; nil when capturing ends.
    @MainActor func capturer(_ capturer: VideoCapturer, didUpdate dimensions: CMVideoDimensions?)
    /// The state changed.
    @MainActor func capturer(_ capturer: VideoCapturer, didUpdate state: CaptureState)
    /// The camera cannot give the size that was asked for and gives a smaller one. Comes each time it has to settle, even
    /// when the size stays as it was.
    @MainActor func capturer(
        _ capturer: VideoCapturer, didDowngradeResolution requested: CMVideoDimensions, to actual: CMVideoDimensions)
}

extension VideoCapturerDelegate {
    /// Does nothing.
    @MainActor public func capturer(_ capturer: VideoCapturer, didUpdate dimensions: CMVideoDimensions?) {}
    /// Does nothing.
    @MainActor public func capturer(_ capturer: VideoCapturer, didUpdate state: CaptureState) {}
    /// Does nothing.
    @MainActor public func capturer(
        _ capturer: VideoCapturer, didDowngradeResolution requested: CMVideoDimensions, to actual: CMVideoDimensions
    ) {}
}
