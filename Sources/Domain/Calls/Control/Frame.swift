// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Which of the independent sequences a frame belongs to.
package enum StreamNumber: UInt8, Sendable, CaseIterable {
    /// None: hellos.
    case link = 0
    /// Everything but text.
    case call = 1
    /// Room messages and their receipts.
    case text = 2
}

/// What the receiver of a stream has: everything before `next`, and of the 32 after it those whose bit is set.
package struct Acknowledgement: Sendable, Equatable {
    /// The lowest sequence number that is still missing.
    package var next: UInt32
    /// Bit i is set when `next + 1 + i` has been received.
    package var bitmap: UInt32

    package init(next: UInt32 = 0, bitmap: UInt32 = 0) {
        self.next = next
        self.bitmap = bitmap
    }
}

/// The identity of a frame: who says it in which session to which session.
package struct SessionPair: Sendable, Equatable {
    /// The sender's session nonce.
    package var sender: UInt64
    /// The receiver's session nonce as the sender knows it; zero in a hello before the receiver's is known.
    package var answered: UInt64

    package init(sender: UInt64, answered: UInt64) {
        self.sender = sender
        self.answered = answered
    }
}

/// One datagram of a link. `docs/control.md` has the layout.
package struct Frame: Sendable, Equatable {
    /// Bytes before the fields.
    package static let headerBytes = 36
    /// Fields of one frame at most.
    package static let payloadBytes = ControlLimits.datagramBytes - headerBytes
    /// Fragments of one message at most: twice what 4 KiB need, for senders that cut smaller.
    package static let maximumFragments: UInt8 = 8
    /// The version in which every hello is written, whatever versions its sender speaks.
    package static let helloVersion: UInt8 = 1
    /// 'R' 'v'.
    static let magic: (UInt8, UInt8) = (0x52, 0x76)

    package var version: UInt8
    /// In a hello: the sender waits for an answer. Nothing elsewhere.
    package var wantsAnswer: Bool
    package var session: SessionPair
    package var stream: StreamNumber
    package var sequence: UInt32
    package var fragment: Fragment
    package var acknowledgement: Acknowledgement
    /// The type byte, known or not.
    package var type: UInt8
    package var fields: [UInt8]

    package init(
        version: UInt8 = Frame.helloVersion, session: SessionPair, stream: StreamNumber, type: ControlType
    ) {
        self.version = version
        wantsAnswer = false
        self.session = session
        self.stream = stream
        sequence = 0
        fragment = Fragment()
        acknowledgement = Acknowledgement()
        self.type = type.rawValue
        fields = []
    }

    /// The frame as a datagram.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.headerBytes + fields.count)
        result += [Self.magic.0, Self.magic.1, version, wantsAnswer ? Self.answerFlag : 0]
        result.appendBigEndian(session.sender)
        result.appendBigEndian(session.answered)
        result.append(stream.rawValue)
        result.appendBigEndian(sequence)
        result += [fragment.index, fragment.count]
        result.appendBigEndian(acknowledgement.next)
        result.appendBigEndian(acknowledgement.bitmap)
        result.append(type)
        result += fields
        return result
    }

    static let answerFlag: UInt8 = 1
}

/// Which part of its message a frame carries.
package struct Fragment: Sendable, Equatable {
    /// From 0 to `count` − 1.
    package var index: UInt8
    /// From 1 to `Frame.maximumFragments`.
    package var count: UInt8

    package init(index: UInt8 = 0, count: UInt8 = 1) {
        self.index = index
        self.count = count
    }
}
