// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A way in for bytes that somebody else wrote. Each is run by the fuzzer (`make fuzz`) and, over the corpus in
/// `Fixtures/fuzz`, by the tests. A trap, a hang or an unbounded answer is a defect, whatever the bytes.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Datagrams to a control link that is established.
    case controlFrame = "control-frame"
    /// The type and the fields of a control message.
    case controlMessage = "control-message"
    /// Datagrams to a receiver of VP8.
    case rtpVideo = "rtp-video"
    /// Datagrams to a receiver of Opus.
    case rtpAudio = "rtp-audio"
    /// A compound RTCP packet.
    case rtcp
    /// The payload of one packet: a VP8 descriptor, and an Opus packet.
    case payload
    /// Saved identities in each of their layers.
    case savedata
    /// A licence file.
    case licence
    /// Datagrams to the lab transport.
    case labPacket = "lab-packet"

    /// Runs the target on one input.
    public func run(_ input: [UInt8]) {
        switch self {
        case .controlFrame: ControlTrial.frames(input)
        case .controlMessage: ControlTrial.message(input)
        case .rtpVideo: MediaTrial.video(input)
        case .rtpAudio: MediaTrial.audio(input)
        case .rtcp: MediaTrial.rtcp(input)
        case .payload: MediaTrial.payload(input)
        case .savedata: StorageTrial.savedata(input)
        case .licence: StorageTrial.licence(input)
        case .labPacket: StorageTrial.labPackets(input)
        }
    }
}

/// Datagrams in one input: for each, how many milliseconds pass before it (1 byte, times four), its length (2 bytes,
/// big-endian) and its bytes. What is left over at the end is a last, shorter one.
struct DatagramScript: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    mutating func next() -> (milliseconds: Int64, datagram: [UInt8])? {
        guard rest.count >= 3 else { return nil }
        let start = rest.startIndex
        let length = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
        let datagram = Array(rest.dropFirst(3).prefix(length))
        defer { rest = rest.dropFirst(3 + datagram.count) }
        return (Int64(rest[start]) * 4, datagram)
    }

    /// An input of these datagrams, `milliseconds` (at most 1,020) apart.
    static func input(_ datagrams: [[UInt8]], milliseconds: Int = 20) -> [UInt8] {
        datagrams.flatMap { datagram in
            [
                UInt8(clamping: milliseconds / 4), UInt8(truncatingIfNeeded: datagram.count >> 8),
                UInt8(truncatingIfNeeded: datagram.count),
            ] + datagram
        }
    }
}
