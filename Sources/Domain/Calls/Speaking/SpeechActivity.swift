// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Whether one participant speaks, and how loud, from the levels of their audio frames.
///
/// A frame counts as voice at -35 dBov or louder (RFC 6464 levels: 35 or less). Over a window of 400 ms the participant
/// starts to speak when voice fills at least 40 % of it: a cough or a slammed door does not. Who speaks goes on speaking
/// until two windows in a row, 800 ms, were below that. Thresholds as in LiveKit's audio level observer.
public struct SpeechActivity: Equatable, Sendable {
    /// What a window says.
    public struct Reading: Equatable, Sendable {
        /// Whether the participant speaks.
        public var isSpeaking: Bool
        /// 0…1 in steps of an eighth; 0 unless speaking.
        public var level: Float
    }

    /// How often windows end.
    public static let window = Interval.milliseconds(400)
    /// RFC 6464 levels up to this one are voice.
    public static let voiceLevel: UInt8 = 35
    /// Voice that a window needs, in percent of its time.
    static let neededPercent: Int64 = 40
    /// Windows below that which end speaking.
    static let releaseWindows = 2

    /// What the last window said.
    public private(set) var reading = Reading(isSpeaking: false, level: 0)
    private var voiced = Interval.zero
    private var loudness = 0.0
    private var smoothed = 0.0
    private var quietWindows = 0

    /// Nobody has spoken yet.
    public init() {}

    /// Takes a frame's level: dB below full scale, 0 (loudest) to 127 (silence).
    public mutating func heard(level: UInt8, lasting duration: Interval) {
        guard level <= Self.voiceLevel, duration > .zero else { return }
        voiced = min(voiced + duration, Self.window)
        loudness = max(loudness, Self.linear(level))
    }

    /// Ends the window that lasted until now.
    ///
    /// - Returns: whether the participant speaks now.
    @discardableResult
    public mutating func endWindow() -> Reading {
        let isVoice = voiced.nanoseconds * 100 >= Self.window.nanoseconds * Self.neededPercent
        quietWindows = isVoice ? 0 : quietWindows + 1
        let isSpeaking = isVoice || (reading.isSpeaking && quietWindows < Self.releaseWindows)
        // An exponential mean over two windows keeps the meter from flickering.
        smoothed = isSpeaking ? (smoothed * 1 + loudness * 2) / 3 : 0
        reading = Reading(isSpeaking: isSpeaking, level: isSpeaking ? Self.quantised(smoothed) : 0)
        voiced = .zero
        loudness = 0
        return reading
    }

    /// The participant was muted or left: at once nobody speaks.
    public mutating func clear() { self = SpeechActivity() }

    /// Eighths, rounded up: any voice at all shows.
    private static func quantised(_ level: Double) -> Float {
        Float(min(1, max(1, (level * 8).rounded(.up)) / 8))
    }

    /// 0…1 over the range that counts as voice: 0 dBov is 1, -35 dBov is 1/36.
    private static func linear(_ level: UInt8) -> Double { Double(voiceLevel - level + 1) / Double(voiceLevel + 1) }
}
