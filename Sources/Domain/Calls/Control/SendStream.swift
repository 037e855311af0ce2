// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The sending half of a stream: a bounded queue, and a window of frames that are sent again until acknowledged.
struct SendStream: Sendable, Equatable {
    /// Frames under way at most: as many as an acknowledgement can tell apart.
    static let window: UInt32 = 32
    static let maximumMessages = 256
    static let maximumBytes = 256 * 1_024

    /// A message of which at least one fragment has not been sent.
    private struct Waiting: Sendable, Equatable {
        var receipt: ControlLink.Receipt
        var type: ControlType
        var fields: [UInt8]
        var collapse: Collapse?
        var sentFragments: UInt8 = 0

        var fragmentCount: Int { max(1, (fields.count + Frame.payloadBytes - 1) / Frame.payloadBytes) }
    }

    /// A frame under way.
    private struct UnderWay: Sendable, Equatable {
        var receipt: ControlLink.Receipt
        var part: Part
        var firstSentAt: Instant
        var due: Instant
        var interval: Interval
        var copies = 1
    }

    /// What of a frame belongs to the stream; session and acknowledgement are the link's to add.
    struct Part: Sendable, Equatable {
        var sequence: UInt32
        var fragment: Fragment
        var type: ControlType
        var fields: [UInt8]
    }

    /// What an acknowledgement brought.
    enum Outcome: Sendable, Equatable {
        /// Nothing that was not known.
        case nothing
        /// It acknowledges what was never sent.
        case impossible
        /// Frames have arrived; with them these messages, and perhaps a round-trip time.
        case progress([ControlLink.Receipt], sample: Interval?)
    }

    private var waiting: [Waiting] = []
    private var underWay: [UnderWay] = []
    /// The lowest number that the peer still misses.
    private var base: UInt32
    private var nextSequence: UInt32
    /// Of messages that are not acknowledged.
    private var messageCount = 0
    /// Of fields that are not acknowledged.
    private var byteCount = 0

    init(firstSequence: UInt32 = 0) {
        base = firstSequence
        nextSequence = firstSequence
    }

    /// When something is to be sent again; nil when everything is acknowledged.
    var nextDeadline: Instant? { underWay.map { $0.due }.min() }

    /// Queues a message, or lets it take the place of a waiting one that it makes pointless: then returns that one's
    /// receipt and leaves `receipt` unused.
    mutating func append(
        _ message: ControlMessage, receipt: ControlLink.Receipt
    ) throws(ControlSendError) -> ControlLink.Receipt {
        let fields = try message.encodedFields()
        let collapse = Collapse(message)
        var entry = Waiting(receipt: receipt, type: message.type, fields: fields, collapse: collapse)
        var bytesAfter = byteCount + fields.count
        let older = collapse == nil ? nil : waiting.firstIndex { $0.collapse == collapse && $0.sentFragments == 0 }
        if let older { bytesAfter -= waiting[older].fields.count }
        guard older != nil || messageCount < Self.maximumMessages, bytesAfter <= Self.maximumBytes else {
            throw .queueFull
        }
        if let older {
            entry.receipt = waiting[older].receipt
            waiting.remove(at: older)
        } else {
            messageCount += 1
        }
        byteCount = bytesAfter
        waiting.append(entry)
        return entry.receipt
    }

    /// What is to be sent now: first what is overdue, then new frames as the window allows.
    mutating func poll(at now: Instant, firstRetransmission: Interval) -> [Part] {
        var parts: [Part] = []
        for index in underWay.indices where underWay[index].due <= now {
            underWay[index].interval = RoundTrip.backedOff(underWay[index].interval)
            underWay[index].due = now + underWay[index].interval
            underWay[index].copies += 1
            parts.append(underWay[index].part)
        }
        while nextSequence &- base < Self.window, let (receipt, part) = nextPart() {
            let due = now + firstRetransmission
            underWay.append(
                UnderWay(
                    receipt: receipt, part: part, firstSentAt: now, due: due, interval: firstRetransmission))
            parts.append(part)
        }
        return parts
    }

    /// A path is back: what is under way is due now, without the back-off of the time before.
    mutating func hurry(at now: Instant, firstRetransmission: Interval) {
        for index in underWay.indices {
            underWay[index].due = now
            underWay[index].interval = firstRetransmission
        }
    }

    /// Takes an acknowledgement of the peer; any is safe.
    mutating func received(_ acknowledgement: Acknowledgement, at now: Instant) -> Outcome {
        let advance = acknowledgement.next &- base
        guard advance < 1 << 31 else { return .nothing }
        guard advance <= nextSequence &- base else { return .impossible }
        base = acknowledgement.next
        var arrived: [UnderWay] = []
        underWay.removeAll { frame in
            guard acknowledgement.covers(frame.part.sequence) else { return false }
            arrived.append(frame)
            return true
        }
        guard !arrived.isEmpty else { return .nothing }
        var receipts: [ControlLink.Receipt] = []
        var sample: Interval?
        for frame in arrived {
            byteCount -= frame.part.fields.count
            if frame.copies == 1 { sample = now - frame.firstSentAt }
            if receipts.last != frame.receipt, isComplete(frame.receipt) { receipts.append(frame.receipt) }
        }
        messageCount -= receipts.count
        return .progress(receipts, sample: sample)
    }

    private func isComplete(_ receipt: ControlLink.Receipt) -> Bool {
        waiting.first?.receipt != receipt && !underWay.contains { $0.receipt == receipt }
    }

    private mutating func nextPart() -> (ControlLink.Receipt, Part)? {
        guard let entry = waiting.first else { return nil }
        let count = entry.fragmentCount
        let index = Int(entry.sentFragments)
        let slice = entry.fields.dropFirst(index * Frame.payloadBytes).prefix(Frame.payloadBytes)
        let fragment = Fragment(index: entry.sentFragments, count: UInt8(truncatingIfNeeded: count))
        let part = Part(sequence: nextSequence, fragment: fragment, type: entry.type, fields: Array(slice))
        nextSequence &+= 1
        if index + 1 == count { waiting.removeFirst() } else { waiting[0].sentFragments += 1 }
        return (entry.receipt, part)
    }
}

/// What makes a waiting message pointless: a later one about the same thing.
enum Collapse: Sendable, Equatable {
    case want(WireID, PublicationID)
    case mute(WireID, PublicationID)

    init?(_ message: ControlMessage) {
        switch message {
        case .want(let call, let id, _, _, _): self = .want(call, id)
        case .mute(let call, let id, _, _, _): self = .mute(call, id)
        default: return nil
        }
    }
}

extension Acknowledgement {
    /// Whether the peer has the frame with this number, given that it was sent.
    func covers(_ sequence: UInt32) -> Bool {
        let ahead = sequence &- next
        if ahead >= 1 << 31 { return true }
        return (1...32).contains(ahead) && bitmap >> (ahead - 1) & 1 == 1
    }
}
