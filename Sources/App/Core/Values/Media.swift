// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// By how much a picture must be turned clockwise to stand upright; the raw value is in degrees.
public enum VideoRotation: Int, Sendable, Codable {
    /// Upright.
    case _0 = 0
    /// A quarter turn; width and height change places.
    case _90 = 90
    /// Upside down.
    case _180 = 180
    /// Three quarter turns; width and height change places.
    case _270 = 270
}

/// What a capturer does.
public enum CaptureState: Int, Sendable {
    /// Not capturing; every capturer starts here.
    case idle = 0
    /// Capturing.
    case capturing = 1
    /// Could not start. Screen sharing alone uses it.
    case error = 2
}
