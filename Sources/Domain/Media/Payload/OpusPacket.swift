// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What an Opus packet's first bytes tell (RFC 6716 §3.1); RFC 7587 puts the packet into RTP as it is.
public enum OpusPacket {
    /// Samples a channel at 48 kHz in the frame that RevueSDK sends: 20 ms.
    public static let frameSamples: Int64 = 960

    /// Whether a coder's output need not be sent: at most 2 bytes mean that nothing but silence is in it.
    public static func isDiscontinuous(_ packet: UnsafeRawBufferPointer) -> Bool { packet.count <= 2 }

    /// Samples a channel at 48 kHz; nil when the packet's first bytes announce an impossible length.
    public static func samples(in packet: UnsafeRawBufferPointer) -> Int64? {
        var reader = ByteReader(packet)
        guard let toc = reader.u8() else { return nil }
        let perFrame: Int64 =
            switch toc >> 3 {
            case 0..<12: [480, 960, 1_920, 2_880][Int(toc >> 3 & 3)]
            case 12..<16: [480, 960][Int(toc >> 3 & 1)]
            default: [120, 240, 480, 960][Int(toc >> 3 & 3)]
            }
        let frames: Int64
        switch toc & 3 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard let count = reader.u8() else { return nil }
            frames = Int64(count & 0x3F)
        }
        let samples = perFrame * frames
        // RFC 6716 §3.2.5: at most 120 ms, and not nothing.
        return (1...5_760).contains(samples) ? samples : nil
    }
}
