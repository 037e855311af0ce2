// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension Frame {
    /// The frame in a datagram. Any bytes are safe.
    ///
    /// The layout after the version byte belongs to the version: other versions than those of `versions` are refused
    /// before anything else is read, except that every hello is written as version 1.
    package init(parsing bytes: [UInt8], versions: ClosedRange<UInt8>) throws(ControlDrop) {
        guard bytes.count <= ControlLimits.datagramBytes else { throw .oversizedFrame }
        guard bytes.count >= 3 else { throw .truncatedFrame }
        guard bytes[0] == Self.magic.0, bytes[1] == Self.magic.1 else { throw .notControl }
        version = bytes[2]
        guard version == Self.helloVersion || versions.contains(version) else { throw .unsupportedVersion }
        guard bytes.count >= Self.headerBytes else { throw .truncatedFrame }
        wantsAnswer = bytes[3] & Self.answerFlag != 0
        session = SessionPair(sender: integer(in: bytes, at: 4), answered: integer(in: bytes, at: 12))
        guard session.sender != 0 else { throw .zeroNonce }
        guard let stream = StreamNumber(rawValue: bytes[20]) else { throw .unknownStream }
        self.stream = stream
        sequence = integer(in: bytes, at: 21)
        fragment = Fragment(index: bytes[25], count: bytes[26])
        acknowledgement = Acknowledgement(next: integer(in: bytes, at: 27), bitmap: integer(in: bytes, at: 31))
        type = bytes[35]
        fields = Array(bytes[Self.headerBytes...])
        try checkPlace()
    }

    /// Hellos stand outside the streams, everything else inside one, and fragments are within bounds.
    private func checkPlace() throws(ControlDrop) {
        let isHello = type == ControlType.hello.rawValue
        guard (stream == .link) == isHello else { throw .unknownStream }
        guard version == Self.helloVersion || !isHello else { throw .unsupportedVersion }
        guard fragment.count <= Self.maximumFragments, fragment.index < fragment.count else { throw .badFragment }
        let isWhole = fragment.count == 1
        guard isWhole || !isHello && type != ControlType.acknowledgement.rawValue else { throw .badFragment }
    }
}

private func integer<Integer: FixedWidthInteger>(in bytes: [UInt8], at offset: Int) -> Integer {
    Integer(bigEndianBytes: bytes[offset..<offset + Integer.bitWidth / 8]) ?? 0
}
