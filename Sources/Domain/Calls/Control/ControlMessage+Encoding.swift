// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension ControlMessage {
    package var type: ControlType {
        switch self {
        case .hello: .hello
        case .invite: .invite
        case .ringing: .ringing
        case .accept: .accept
        case .reject: .reject
        case .cancel: .cancel
        case .hangup: .hangup
        case .goodbye: .goodbye
        case .resume: .resume
        case .declare: .declare
        case .declared: .declared
        case .withdraw: .withdraw
        case .mute: .mute
        case .message: .message
        case .delivered: .delivered
        case .muteRequest: .muteRequest
        case .want: .want
        case .presence: .presence
        case .candidate: .candidate
        }
    }

    /// The message's fields as bytes; refused when something in it is above its limit.
    package func encodedFields() throws(ControlSendError) -> [UInt8] {
        var writer = FieldWriter()
        switch self {
        case .hello(let hello):
            writer.put(.lowestVersion, hello.lowestVersion)
            writer.put(.highestVersion, hello.highestVersion)
            writer.put(.capabilities, hello.capabilities.rawValue)
        case .invite(let call, let message):
            writer.put(.call, call)
            if let message { try writer.put(.text, text: message, limit: ControlLimits.inviteBytes) }
        case .ringing(let call), .accept(let call), .reject(let call), .cancel(let call), .hangup(let call):
            writer.put(.call, call)
        case .goodbye:
            break
        case .presence(let status, let key):
            writer.put(.status, status)
            try writer.put(.key, key, limit: ControlLimits.keyBytes)
        case .candidate(let candidates):
            try writer.put(candidates)
        case .resume, .declare, .declared, .withdraw, .mute, .want:
            try encodePublication(into: &writer)
        case .message, .delivered, .muteRequest:
            try encodeRequest(into: &writer)
        }
        return writer.bytes
    }

    private func encodePublication(into writer: inout FieldWriter) throws(ControlSendError) {
        switch self {
        case .resume(let call, let states):
            writer.put(.call, call)
            try writer.put(states)
        case .declare(let call, let declaration):
            writer.put(.call, call)
            try writer.put(declaration)
        case .declared(let call, let id, let version), .withdraw(let call, let id, let version):
            writer.put(.call, call)
            writer.put(.publication, id)
            writer.put(.version, version)
        case .mute(let call, let id, let isMuted, let rtpTime, let version):
            writer.put(.call, call)
            writer.put(.publication, id)
            writer.put(.version, version)
            writer.put(.muted, isMuted)
            if let rtpTime { writer.put(.rtpTime, rtpTime) }
        case .want(let call, let id, let width, let height, let fps):
            writer.put(.call, call)
            writer.put(.publication, id)
            writer.put(.width, width)
            writer.put(.height, height)
            writer.put(.fps, fps)
        default:
            break
        }
    }

    private func encodeRequest(into writer: inout FieldWriter) throws(ControlSendError) {
        switch self {
        case .message(let call, let id, let sentAt, let deadline, let text):
            writer.put(.call, call)
            writer.put(.messageID, id)
            writer.put(.sentAt, sentAt)
            writer.put(.deadline, deadline)
            try writer.put(.text, text: text, limit: ControlLimits.textBytes)
        case .delivered(let id):
            writer.put(.messageID, id)
        case .muteRequest(let call, let id, let sentAt, let deadline, let isMuted):
            writer.put(.call, call)
            writer.put(.messageID, id)
            writer.put(.sentAt, sentAt)
            writer.put(.deadline, deadline)
            writer.put(.muted, isMuted)
        default:
            break
        }
    }
}

extension FieldWriter {
    fileprivate mutating func put(_ declaration: Declaration) throws(ControlSendError) {
        let stream = declaration.stream
        guard stream.formats.count <= ControlLimits.formats else {
            throw .tooLarge(size: stream.formats.count, limit: ControlLimits.formats)
        }
        put(.publication, declaration.id)
        put(.version, declaration.version)
        put(.muted, declaration.isMuted)
        put(.kind, stream.kind.rawValue)
        put(.source, stream.source.rawValue)
        try put(.name, text: stream.name, limit: ControlLimits.nameBytes)
        put(.ssrc, stream.ssrc)
        put(.rtxSSRC, stream.rtxSSRC)
        for format in stream.formats { put(.format, [format.payloadType, format.codec.rawValue]) }
        if let cryptor = declaration.cryptor {
            var content = [cryptor.id]
            content.appendBigEndian(cryptor.epoch)
            put(.cryptor, content)
        }
    }

    fileprivate mutating func put(_ states: [PublicationState]) throws(ControlSendError) {
        guard states.count <= ControlLimits.publications else {
            throw .tooLarge(size: states.count, limit: ControlLimits.publications)
        }
        for state in states {
            var content: [UInt8] = []
            content.appendBigEndian(state.id.rawValue)
            content.appendBigEndian(state.version)
            content.append(state.isMuted ? 1 : 0)
            put(.state, content)
        }
    }

    fileprivate mutating func put(_ candidates: [Candidate]) throws(ControlSendError) {
        guard candidates.count <= ControlLimits.candidates else {
            throw .tooLarge(size: candidates.count, limit: ControlLimits.candidates)
        }
        for candidate in candidates {
            guard candidate.fingerprint.count <= ControlLimits.keyBytes else {
                throw .tooLarge(size: candidate.fingerprint.count, limit: ControlLimits.keyBytes)
            }
            var content: [UInt8] = []
            content.appendBigEndian(candidate.port)
            switch candidate.address {
            case .ipv4(let address):
                content.append(4)
                content.appendBigEndian(address)
            case .ipv6(let high, let low):
                content.append(6)
                content.appendBigEndian(high)
                content.appendBigEndian(low)
            }
            put(.candidate, content + candidate.fingerprint)
        }
    }
}
