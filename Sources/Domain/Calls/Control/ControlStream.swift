// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Both halves of one stream.
struct ControlStream: Sendable, Equatable {
    let number: StreamNumber
    var sending: SendStream
    var receiving: ReceiveStream

    init(_ number: StreamNumber, firstSequence: UInt32) {
        self.number = number
        sending = SendStream(firstSequence: firstSequence)
        receiving = ReceiveStream(firstSequence: firstSequence)
    }

    /// The frames to send now; each carries the stream's acknowledgement, and only where none goes, one goes alone.
    mutating func poll(at now: Instant, _ envelope: Envelope) -> [Frame] {
        var frames: [Frame] = []
        if envelope.isConnected {
            for part in sending.poll(at: now, firstRetransmission: envelope.firstRetransmission) {
                var frame = blank(envelope, part.type)
                frame.sequence = part.sequence
                frame.fragment = part.fragment
                frame.fields = part.fields
                frames.append(frame)
            }
        }
        if frames.isEmpty, let due = receiving.acknowledgementDue, due <= now {
            frames.append(blank(envelope, .acknowledgement))
        }
        if !frames.isEmpty { receiving.acknowledged() }
        return frames
    }

    private func blank(_ envelope: Envelope, _ type: ControlType) -> Frame {
        var frame = Frame(version: envelope.version, session: envelope.session, stream: number, type: type)
        frame.acknowledgement = receiving.acknowledgement
        return frame
    }
}

/// What the link knows that its streams need to send.
struct Envelope: Sendable, Equatable {
    var version: UInt8
    var session: SessionPair
    /// Whether a path exists: without one, only acknowledgements go out.
    var isConnected: Bool
    var firstRetransmission: Interval
}
