// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The documented name of `CaptureDevice`.
public typealias AVCaptureDevice = CaptureDevice

/// A camera or microphone of this machine. Two are equal when they have the same ID.
public final class CaptureDevice: Sendable, Hashable {
    /// Which way a camera faces.
    public enum Position: Int, Sendable {
        /// Nobody says.
        case unspecified = 0
        /// Away from the user.
        case back = 1
        /// To the user.
        case front = 2
    }

    /// Names the device on this machine.
    public let uniqueID: String
    /// What to call it.
    public let localizedName: String
    /// Which way it faces; cameras on Linux do not say.
    public let position: Position

    /// A device.
    public init(uniqueID: String, localizedName: String, position: Position = .unspecified) {
        self.uniqueID = uniqueID
        self.localizedName = localizedName
        self.position = position
    }

    /// Whether both name the same device.
    public static func == (left: CaptureDevice, right: CaptureDevice) -> Bool { left.uniqueID == right.uniqueID }

    /// Takes in the ID.
    public func hash(into hasher: inout Hasher) { hasher.combine(uniqueID) }
}
