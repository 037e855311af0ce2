// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

/// What is too large is refused where it is written and dropped where it is read.
@Suite struct ControlLimitTests {
    private static let call = WireID(high: 1, low: 2)

    private static func candidates(_ count: Int, fingerprint: Int = 0) -> ControlMessage {
        let fingerprint = [UInt8](repeating: 0, count: fingerprint)
        return .candidate(
            Array(repeating: Candidate(address: .ipv4(1), port: 1, fingerprint: fingerprint), count: count))
    }

    private static func declare(name: Int = 0, formats: Int = 0) -> ControlMessage {
        let formats = Array(repeating: PayloadFormat(payloadType: 96, codec: .vp8), count: formats)
        return .declare(call, ControlMessage.declaration(name: String(repeating: "n", count: name), formats: formats))
    }

    private static func text(_ count: Int) -> ControlMessage {
        .message(call, id: call, sentAt: 0, deadline: 0, text: String(repeating: "t", count: count))
    }

    private static func states(_ count: Int) -> ControlMessage {
        .resume(call, Array(repeating: .init(id: .init(rawValue: 1), version: 1, isMuted: false), count: count))
    }

    @Test(
        arguments: [
            (.invite(call, message: String(repeating: "é", count: 129)), 258, 256),
            (declare(name: 129), 129, 128),
            (declare(formats: 9), 9, 8),
            (candidates(9), 9, 8),
            (candidates(1, fingerprint: 65), 65, 64),
            (text(1_373), 1_373, 1_372),
            (states(17), 17, 16),
            (.presence(status: 0, key: Array(repeating: 0, count: 65)), 65, 64),
        ] as [(ControlMessage, Int, Int)])
    func `what is above its limit is not sent`(_ message: ControlMessage, size: Int, limit: Int) {
        #expect(throws: ControlSendError.tooLarge(size: size, limit: limit)) { try message.encodedFields() }
        var link = ControlLink(nonce: 1, hello: .ours)
        #expect(throws: ControlSendError.tooLarge(size: size, limit: limit)) { try link.send(message, at: .zero) }
    }

    private static let id: [UInt8] = Array(repeating: 0, count: 16)

    private static func fields(_ content: [(ControlTag, [UInt8])]) -> [UInt8] {
        var writer = FieldWriter()
        for (tag, value) in content { writer.put(tag, value) }
        return writer.bytes
    }

    @Test(
        arguments: [
            (.invite, [(.call, id), (.text, Array(repeating: 65, count: 257))], .wrongLength),
            (.presence, [(.status, [0]), (.key, Array(repeating: 0, count: 65))], .wrongLength),
            (.candidate, Array(repeating: (.candidate, [0, 1, 4, 1, 2, 3, 4]), count: 9), .tooManyFields),
            (.candidate, [(.candidate, [0, 1, 4, 1, 2, 3, 4] + Array(repeating: 0, count: 65))], .wrongLength),
            (.candidate, [(.candidate, [])], .wrongLength),
            (.candidate, [(.candidate, [0, 1])], .wrongLength),
            (.candidate, [(.candidate, [0, 1, 4, 1, 2, 3])], .wrongLength),
            (.candidate, [(.candidate, [0, 1, 6] + Array(repeating: 0, count: 15))], .wrongLength),
            (
                .resume, [(.call, id)] + Array(repeating: (.state, Array(repeating: 0, count: 9)), count: 17),
                .tooManyFields
            ),
            (.resume, [(.call, id), (.state, [0, 0, 0, 1, 0, 0, 0, 1, 2])], .badValue),
            (.mute, muteFields(muted: 2), .badValue),
            (.hello, [(.lowestVersion, [0]), (.highestVersion, [1]), (.capabilities, [0, 0, 0, 0])], .badValue),
            (.hello, [(.lowestVersion, [2]), (.highestVersion, [1]), (.capabilities, [0, 0, 0, 0])], .badValue),
            (.declare, declareFields(kind: 3), .badValue),
            (.declare, declareFields(format: [128, 2]), .badValue),
            (.declare, declareFields(name: 129), .wrongLength),
            (.acknowledgement, [], .unknownType),
        ] as [(ControlType, [(ControlTag, [UInt8])], ControlDrop)])
    func `what is out of its range is dropped with its reason`(
        _ type: ControlType, content: [(ControlTag, [UInt8])], reason: ControlDrop
    ) {
        #expect(throws: reason) { try ControlMessage(type: type, fields: Self.fields(content)) }
    }

    @Test func `more than 4 KiB of fields are dropped`() {
        let fields = Self.fields([(.call, Self.id)]) + Array(repeating: 200, count: 4_096)
        #expect(throws: ControlDrop.oversizedMessage) { try ControlMessage(type: .ringing, fields: fields) }
    }

    @Test func `codecs, sources and address families of a later version do not spoil the rest`() throws {
        let declared = try ControlMessage(
            type: .declare, fields: Self.fields(Self.declareFields(source: 99, format: [96, 99])))
        guard case .declare(_, let declaration) = declared else {
            Issue.record("not a declaration")
            return
        }
        #expect(declaration.stream.source == .unknown)
        #expect(declaration.stream.formats.isEmpty)
        let known: [UInt8] = [0, 1, 4, 1, 2, 3, 4]
        let candidates = try ControlMessage(
            type: .candidate, fields: Self.fields([(.candidate, [0, 1, 9, 1]), (.candidate, known)]))
        #expect(candidates == .candidate([Candidate(address: .ipv4(0x0102_0304), port: 1, fingerprint: [])]))
    }

    private static func muteFields(muted: UInt8) -> [(ControlTag, [UInt8])] {
        [(.call, id), (.publication, [0, 0, 0, 1]), (.version, [0, 0, 0, 1]), (.muted, [muted])]
    }

    private static func declareFields(
        kind: UInt8 = 2, source: UInt8 = 1, name: Int = 1, format: [UInt8] = [96, 2]
    ) -> [(ControlTag, [UInt8])] {
        [
            (.call, id), (.publication, [0, 0, 0, 1]), (.version, [0, 0, 0, 1]), (.muted, [0]), (.kind, [kind]),
            (.source, [source]), (.name, Array(repeating: 65, count: name)), (.ssrc, [0, 0, 0, 1]),
            (.rtxSSRC, [0, 0, 0, 2]), (.format, format),
        ]
    }
}
