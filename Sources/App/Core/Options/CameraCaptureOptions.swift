// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the camera should produce. What is sent of it is decided by `VideoPublishOptions`, for each recipient.
///
/// Of these, `dimensions`, `fps` and `isMirrored` are honoured. On Linux a camera does not say which way it faces and the
/// machine does not say how it is held: `position` and `autoCorrectOrientation` are kept and have no effect, and which
/// camera is opened is decided by `Adapters.makeCamera`, whatever `device` names.
public class CameraCaptureOptions: @unchecked Sendable {
    // SAFETY: every stored property is immutable; subclasses are the integrator's own.

    /// A size that is asked for. A camera that does not have it gives the closest one that it has.
    public struct Dimensions: Sendable, Hashable {
        /// Pixels across.
        public let width: Int32
        /// Pixels down.
        public let height: Int32

        /// Any size.
        public init(width: Int32, height: Int32) {
            self.width = width
            self.height = height
        }
    }

    /// The size that is asked for.
    public let dimensions: Dimensions
    /// Pictures per second that are asked for.
    public let fps: Int
    /// Which way the camera should face.
    public let position: AVCaptureDevice.Position
    /// The camera that should be used; nil: one that faces `position`.
    public let device: AVCaptureDevice?
    /// Whether pictures are turned upright as the machine is turned.
    public let autoCorrectOrientation: Bool
    /// Whether the captured picture itself is mirrored, for everyone who sees it, recipients and recordings included.
    public let isMirrored: Bool

    /// Options; unless told otherwise 1280×720 at 30 pictures a second.
    public init(
        dimensions: Dimensions = .h720_169, fps: Int = 30, position: AVCaptureDevice.Position = .front,
        device: AVCaptureDevice? = nil, autoCorrectOrientation: Bool = true, isMirrored: Bool = false
    ) {
        self.dimensions = dimensions
        self.fps = fps
        self.position = position
        self.device = device
        self.autoCorrectOrientation = autoCorrectOrientation
        self.isMirrored = isMirrored
    }

    /// A copy in which what is given differs.
    ///
    /// - Parameter device: not given: the same; `.some(nil)`: none in particular.
    public func copyWith(
        dimensions: Dimensions? = nil, fps: Int? = nil, position: AVCaptureDevice.Position? = nil,
        device: AVCaptureDevice?? = nil, autoCorrectOrientation: Bool? = nil, isMirrored: Bool? = nil
    ) -> CameraCaptureOptions {
        CameraCaptureOptions(
            dimensions: dimensions ?? self.dimensions, fps: fps ?? self.fps, position: position ?? self.position,
            device: device ?? self.device,
            autoCorrectOrientation: autoCorrectOrientation ?? self.autoCorrectOrientation,
            isMirrored: isMirrored ?? self.isMirrored)
    }
}

extension CameraCaptureOptions.Dimensions {
    /// 160×90.
    public static let h90_169 = Self(width: 160, height: 90)
    /// 320×180.
    public static let h180_169 = Self(width: 320, height: 180)
    /// 384×216.
    public static let h216_169 = Self(width: 384, height: 216)
    /// 640×360.
    public static let h360_169 = Self(width: 640, height: 360)
    /// 960×540.
    public static let h540_169 = Self(width: 960, height: 540)
    /// 1280×720.
    public static let h720_169 = Self(width: 1_280, height: 720)
    /// 1920×1080.
    public static let h1080_169 = Self(width: 1_920, height: 1_080)
    /// 2560×1440.
    public static let h1440_169 = Self(width: 2_560, height: 1_440)
    /// 3840×2160.
    public static let h2160_169 = Self(width: 3_840, height: 2_160)

    /// 160×120.
    public static let h120_43 = Self(width: 160, height: 120)
    /// 240×180.
    public static let h180_43 = Self(width: 240, height: 180)
    /// 320×240.
    public static let h240_43 = Self(width: 320, height: 240)
    /// 480×360.
    public static let h360_43 = Self(width: 480, height: 360)
    /// 640×480.
    public static let h480_43 = Self(width: 640, height: 480)
    /// 720×540.
    public static let h540_43 = Self(width: 720, height: 540)
    /// 960×720.
    public static let h720_43 = Self(width: 960, height: 720)
    /// 1440×1080.
    public static let h1080_43 = Self(width: 1_440, height: 1_080)
    /// 1920×1440.
    public static let h1440_43 = Self(width: 1_920, height: 1_440)
}
