// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// A frame cut into packets, of which each can be written any number of times. Its bytes are the encoder's own, shared.
struct PacketisedFrame: Sendable {
    /// The unwrapped number of its first packet.
    var firstSequence: Int64
    var plan: FragmentPlan
    var descriptor: VP8Descriptor
    var timestamp: UInt32
    var captureNTP: UInt64
    var isMuted: Bool
    var isKeyframe: Bool
    var bytes: [UInt8]
    /// When the first packet was sent.
    var begunAt: Instant

    /// The numbers of its packets.
    var sequences: Range<Int64> { firstSequence..<firstSequence &+ Int64(plan.count) }

    /// Under which SSRC, payload type and number a packet goes out.
    struct Envelope {
        var ssrc: UInt32
        var payloadType: UInt8
        var sequenceNumber: UInt16
        /// Set for a retransmission: the packet's own number, which goes before its payload (RFC 4588 §4).
        var original: UInt16?
    }

    /// Writes one packet. What does not fit leaves the writer overflowed.
    ///
    /// - Returns: bytes of payload written.
    func write(packet index: Int, _ envelope: Envelope, to writer: inout ByteWriter) -> Int {
        guard let range = plan.fragment(index) else { return 0 }
        var header = RTPHeader(
            payloadType: envelope.payloadType, marker: index == plan.count - 1, sequenceNumber: envelope.sequenceNumber,
            timestamp: timestamp, ssrc: envelope.ssrc)
        if index == 0 {
            header.extensions.absoluteCaptureTime = captureNTP
            header.extensions.isMuted = isMuted
        }
        header.write(to: &writer)
        let start = writer.count
        if let original = envelope.original { writer.u16(original) }
        var descriptor = descriptor
        descriptor.isPartitionStart = index == 0
        descriptor.write(to: &writer)
        bytes.withUnsafeBytes { writer.copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
        return writer.count - start
    }
}
