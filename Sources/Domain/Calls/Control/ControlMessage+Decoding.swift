// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension ControlMessage {
    /// The message of this type with these fields. Any bytes are safe.
    package init(type: ControlType, fields bytes: [UInt8]) throws(ControlDrop) {
        guard bytes.count <= ControlLimits.messageBytes else { throw .oversizedMessage }
        let fields = try FieldReader(bytes)
        switch type {
        case .acknowledgement: throw .unknownType
        case .hello: self = .hello(try Hello(fields))
        case .invite:
            let hasText = fields.has(.text)
            let message: String? = hasText ? try fields.text(.text, limit: ControlLimits.inviteBytes) : nil
            self = .invite(try fields.wireID(.call), message: message)
        case .ringing: self = .ringing(try fields.wireID(.call))
        case .accept: self = .accept(try fields.wireID(.call))
        case .reject: self = .reject(try fields.wireID(.call))
        case .cancel: self = .cancel(try fields.wireID(.call))
        case .hangup: self = .hangup(try fields.wireID(.call))
        case .goodbye: self = .goodbye
        case .resume: self = .resume(try fields.wireID(.call), try fields.states())
        case .declare: self = .declare(try fields.wireID(.call), try Declaration(fields))
        case .declared:
            let version: UInt32 = try fields.integer(.version)
            self = .declared(try fields.wireID(.call), try fields.publication(), version: version)
        case .withdraw:
            let version: UInt32 = try fields.integer(.version)
            self = .withdraw(try fields.wireID(.call), try fields.publication(), version: version)
        case .mute: self = try fields.mute()
        case .message: self = try fields.message()
        case .delivered: self = .delivered(try fields.wireID(.messageID))
        case .muteRequest: self = try fields.muteRequest()
        case .want: self = try fields.want()
        case .presence:
            let key = try fields.bytes(.key, limit: ControlLimits.keyBytes)
            self = .presence(status: try fields.integer(.status), key: key)
        case .candidate: self = .candidate(try fields.candidates())
        }
    }
}

extension Hello {
    init(_ fields: FieldReader) throws(ControlDrop) {
        lowestVersion = try fields.integer(.lowestVersion)
        highestVersion = try fields.integer(.highestVersion)
        capabilities = Capabilities(rawValue: try fields.integer(.capabilities))
        guard lowestVersion >= 1, lowestVersion <= highestVersion else { throw .badValue }
    }
}

extension Declaration {
    init(_ fields: FieldReader) throws(ControlDrop) {
        guard let kind = MediaKind(rawValue: try fields.integer(.kind)) else { throw .badValue }
        let source = MediaSource(rawValue: try fields.integer(.source)) ?? .unknown
        let stream = StreamDescription(
            kind: kind, source: source, name: try fields.text(.name, limit: ControlLimits.nameBytes),
            ssrc: try fields.integer(.ssrc), rtxSSRC: try fields.integer(.rtxSSRC), formats: try fields.formats())
        let cryptor: CryptorUse? = fields.has(.cryptor) ? try CryptorUse(try fields.bytes(.cryptor)) : nil
        self.init(
            id: try fields.publication(), stream: stream, isMuted: try fields.flag(.muted),
            version: try fields.integer(.version), cryptor: cryptor)
    }
}

extension CryptorUse {
    fileprivate init(_ value: ArraySlice<UInt8>) throws(ControlDrop) {
        guard let id = value.first, let epoch = UInt32(bigEndianBytes: value.dropFirst()) else { throw .wrongLength }
        self.init(id: id, epoch: epoch)
    }
}

extension Candidate {
    /// Nil for an address family that this version does not know.
    fileprivate init?(_ value: ArraySlice<UInt8>) throws(ControlDrop) {
        guard let port = UInt16(bigEndianBytes: value.prefix(2)), let family = value.dropFirst(2).first else {
            throw .wrongLength
        }
        let rest = value.dropFirst(3)
        switch family {
        case 4:
            guard let bits = UInt32(bigEndianBytes: rest.prefix(4)) else { throw .wrongLength }
            self.init(address: .ipv4(bits), port: port, fingerprint: Array(rest.dropFirst(4)))
        case 6:
            guard let high = UInt64(bigEndianBytes: rest.prefix(8)),
                let low = UInt64(bigEndianBytes: rest.dropFirst(8).prefix(8))
            else { throw .wrongLength }
            self.init(address: .ipv6(high: high, low: low), port: port, fingerprint: Array(rest.dropFirst(16)))
        default:
            return nil
        }
        guard fingerprint.count <= ControlLimits.keyBytes else { throw .wrongLength }
    }
}

extension FieldReader {
    /// Codecs that this version does not know are left out: the rest of the declaration still holds.
    fileprivate func formats() throws(ControlDrop) -> [PayloadFormat] {
        var formats: [PayloadFormat] = []
        for value in all(.format) {
            guard value.count == 2, let payloadType = value.first, let codec = value.last else { throw .wrongLength }
            guard payloadType <= 127 else { throw .badValue }
            guard let codec = MediaCodec(rawValue: codec) else { continue }
            formats.append(PayloadFormat(payloadType: payloadType, codec: codec))
        }
        return formats
    }

    fileprivate func states() throws(ControlDrop) -> [PublicationState] {
        var states: [PublicationState] = []
        for value in all(.state) {
            guard value.count == 9, let id = UInt32(bigEndianBytes: value.prefix(4)),
                let version = UInt32(bigEndianBytes: value.dropFirst(4).prefix(4)), let muted = value.last
            else { throw .wrongLength }
            let isMuted = try Bool(onWire: muted)
            states.append(PublicationState(id: PublicationID(rawValue: id), version: version, isMuted: isMuted))
        }
        return states
    }

    fileprivate func candidates() throws(ControlDrop) -> [Candidate] {
        var candidates: [Candidate] = []
        for value in all(.candidate) {
            guard let candidate = try Candidate(value) else { continue }
            candidates.append(candidate)
        }
        return candidates
    }

    fileprivate func mute() throws(ControlDrop) -> ControlMessage {
        let rtpTime: UInt32? = has(.rtpTime) ? try integer(.rtpTime) : nil
        return .mute(
            try wireID(.call), try publication(), isMuted: try flag(.muted), rtpTime: rtpTime,
            version: try integer(.version))
    }

    fileprivate func message() throws(ControlDrop) -> ControlMessage {
        .message(
            try wireID(.call), id: try wireID(.messageID), sentAt: try integer(.sentAt),
            deadline: try integer(.deadline), text: try text(.text, limit: ControlLimits.textBytes))
    }

    fileprivate func muteRequest() throws(ControlDrop) -> ControlMessage {
        .muteRequest(
            try wireID(.call), id: try wireID(.messageID), sentAt: try integer(.sentAt),
            deadline: try integer(.deadline), isMuted: try flag(.muted))
    }

    fileprivate func want() throws(ControlDrop) -> ControlMessage {
        .want(
            try wireID(.call), try publication(), width: try integer(.width), height: try integer(.height),
            fps: try integer(.fps))
    }
}
