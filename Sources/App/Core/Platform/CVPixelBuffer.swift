// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// A picture under the name that the documented API uses.
public typealias CVPixelBuffer = PixelBuffer
/// A picture under its more general name.
public typealias CVImageBuffer = PixelBuffer
/// A four-character code, first character in the highest byte.
public typealias OSType = UInt32
/// 0 for success, else one of the `kCVReturn…` codes.
public typealias CVReturn = Int32

/// Three planes, video range: `y420`.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// NV12, video range: `420v`.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// NV12, full range: `420f`.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Blue, green, red, alpha: `BGRA`.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241

/// It worked.
public let kCVReturnSuccess: CVReturn = 0
/// An argument makes no sense.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is no such pixel format here.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// No buffer has this size.
public let kCVReturnInvalidSize: CVReturn = -6681

/// Says what a lock is for. Buffers need no lock here: the functions exist for code that is shared with other platforms.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt64
    /// Flags from their bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// The pixels will only be read.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Chooses where memory comes from. There is only one place here, so nil is the only value.
public enum CFAllocator: Sendable {}
/// The only allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

extension PixelFormat {
    /// The format's four-character code.
    public var cvPixelFormatType: OSType {
        switch self {
        case .i420: kCVPixelFormatType_420YpCbCr8Planar
        case .nv12: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case .nv12FullRange: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        case .bgra: kCVPixelFormatType_32BGRA
        }
    }

    /// The format with this four-character code; nil when there is none here.
    public init?(cvPixelFormatType: OSType) {
        guard let format = PixelFormat.allCases.first(where: { $0.cvPixelFormatType == cvPixelFormatType }) else {
            return nil
        }
        self = format
    }
}
