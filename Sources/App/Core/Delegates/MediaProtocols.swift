// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Takes the pictures of a video track.
public protocol VideoRenderer: AnyObject {
    /// Takes one picture, on a thread of the SDK's own, never on main. A renderer that is slow misses pictures; it holds up
    /// nobody else. Nobody may write into the picture.
    func render(pixelBuffer: CVPixelBuffer)
}

/// Takes the sound of an audio track.
public protocol AudioRenderer: AnyObject {
    /// Takes some sound, on a thread of the SDK's own, never on main. A renderer that is slow misses sound; it holds up
    /// nobody else. Nobody may write into the buffer.
    func render(pcmBuffer: AVAudioPCMBuffer)
}

/// Changes the pictures of a local video track before they are shown and sent.
public protocol VideoProcessor: AnyObject {
    /// Changes one picture, on the capture thread. Time taken here lowers the frame rate.
    ///
    /// - Returns: the picture to use, a new one or the one given; nil to drop it.
    func process(pixelBuffer: CVPixelBuffer) -> CVPixelBuffer?
}

/// What fills a local audio track.
public protocol AudioCapturer: AnyObject {
    /// What it does.
    var captureState: CaptureState { get }
    /// Begins to capture; what comes before that is dropped.
    func startCapture() async throws
    /// Ends capturing.
    func stopCapture() async throws
}
