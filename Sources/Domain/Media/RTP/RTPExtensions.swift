// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How loud a packet is (RFC 6464).
public struct AudioLevel: Hashable, Sendable {
    /// 0 (as loud as can be) … 127 (silence), in −dBov.
    public var level: UInt8
    /// Whether the sender takes it for speech.
    public var isVoice: Bool

    /// A level; above 127 counts as 127.
    public init(level: UInt8, isVoice: Bool) {
        self.level = min(level, 127)
        self.isVoice = isVoice
    }
}

/// RTP header extensions in the one-byte form (RFC 8285 §4.2).
public struct RTPExtensions: Hashable, Sendable {
    /// The element identifiers.
    public enum Identifier: UInt8, Hashable, Sendable, CaseIterable {
        /// RFC 6464, 1 byte.
        case audioLevel = 1
        /// Transport-wide sequence number (draft-holmer-rmcat-transport-wide-cc-extensions-01), 2 bytes.
        case transportSequence = 2
        /// Absolute capture time: NTP 32.32, 8 bytes; 16 with a clock offset, which is ignored.
        case absoluteCaptureTime = 3
        /// Our mute flag: 1 byte, its lowest bit set while muted.
        case muteFlag = 4
    }

    /// The packet's loudness.
    public var audioLevel: AudioLevel?
    /// The packet's number among all that the sender sends to this peer.
    public var transportSequence: UInt16?
    /// When the first sample or the picture was captured, by the sender's clock, NTP 32.32.
    public var absoluteCaptureTime: UInt64?
    /// Whether the publication is muted; nil when the packet does not say.
    public var isMuted: Bool?

    /// Extensions; those left out are not written.
    public init(
        audioLevel: AudioLevel? = nil, transportSequence: UInt16? = nil, absoluteCaptureTime: UInt64? = nil,
        isMuted: Bool? = nil
    ) {
        self.audioLevel = audioLevel
        self.transportSequence = transportSequence
        self.absoluteCaptureTime = absoluteCaptureTime
        self.isMuted = isMuted
    }

    /// Bytes of all elements, without the block's own header and filling.
    private var elementBytes: Int {
        (audioLevel == nil ? 0 : 2) + (transportSequence == nil ? 0 : 3) + (absoluteCaptureTime == nil ? 0 : 9)
            + (isMuted == nil ? 0 : 2)
    }

    var isEmpty: Bool { elementBytes == 0 }

    func write(to writer: inout ByteWriter) {
        let words = (elementBytes + 3) / 4
        writer.u16(Self.oneByteProfile)
        writer.u16(UInt16(words))
        if let audioLevel {
            writer.u8(Self.head(.audioLevel, bytes: 1))
            writer.u8((audioLevel.isVoice ? 0x80 : 0) | min(audioLevel.level, 127))
        }
        if let transportSequence {
            writer.u8(Self.head(.transportSequence, bytes: 2))
            writer.u16(transportSequence)
        }
        if let absoluteCaptureTime {
            writer.u8(Self.head(.absoluteCaptureTime, bytes: 8))
            writer.u64(absoluteCaptureTime)
        }
        if let isMuted {
            writer.u8(Self.head(.muteFlag, bytes: 1))
            writer.u8(isMuted ? 1 : 0)
        }
        for _ in elementBytes..<words * 4 { writer.u8(0) }
    }

    /// Reads the elements of a one-byte block. Unknown elements and known ones of a wrong length are skipped.
    ///
    /// - Returns: false when an element runs past the block.
    mutating func read(from reader: inout ByteReader) -> Bool {
        while let head = reader.u8() {
            let identifier = head >> 4
            if head == 0 { continue }
            // RFC 8285 §4.2: identifier 15 ends the processing, whatever follows.
            if identifier == 15 { return true }
            let length = Int(head & 0x0F) + 1
            guard var element = reader.take(length) else { return false }
            read(identifier, length: length, from: &element)
        }
        return true
    }

    private mutating func read(_ identifier: UInt8, length: Int, from element: inout ByteReader) {
        switch (Identifier(rawValue: identifier), length) {
        case (.audioLevel, 1):
            if let value = element.u8() { audioLevel = AudioLevel(level: value & 0x7F, isVoice: value & 0x80 != 0) }
        case (.transportSequence, 2): transportSequence = element.u16()
        case (.absoluteCaptureTime, 8), (.absoluteCaptureTime, 16): absoluteCaptureTime = element.u64()
        case (.muteFlag, 1): isMuted = element.u8().map { $0 & 1 != 0 }
        case (.audioLevel, _), (.transportSequence, _), (.absoluteCaptureTime, _), (.muteFlag, _), (nil, _): break
        }
    }

    private static func head(_ identifier: Identifier, bytes: UInt8) -> UInt8 { identifier.rawValue << 4 | (bytes - 1) }

    static let oneByteProfile: UInt16 = 0xBEDE
}
