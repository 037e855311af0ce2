// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// What a peer of `ControlTrial`'s link may honestly say.
enum ControlSeeds {
    private static let call = WireID(high: 1, low: 2)
    private static let id = PublicationID(rawValue: 77)

    private static let samples: [(name: String, message: ControlMessage)] = [
        ("hello", .hello(ControlTrial.hello)), ("invite", .invite(call, message: "video?")),
        ("ringing", .ringing(call)), ("accept", .accept(call)), ("reject", .reject(call)), ("cancel", .cancel(call)),
        ("hangup", .hangup(call)), ("goodbye", .goodbye),
        ("resume", .resume(call, [PublicationState(id: id, version: 3, isMuted: true)])),
        ("declare", .declare(call, declaration)), ("declared", .declared(call, id, version: 1)),
        ("withdraw", .withdraw(call, id, version: 2)),
        ("mute", .mute(call, id, isMuted: true, rtpTime: 90_000, version: 3)),
        ("message", .message(call, id: call, sentAt: 10, deadline: 20_000, text: "Grüße")),
        ("delivered", .delivered(call)),
        ("mute-request", .muteRequest(call, id: call, sentAt: 10, deadline: 20_000, isMuted: true)),
        ("want", .want(call, id, width: 640, height: 360, fps: 30)),
        ("presence", .presence(status: 1, key: [UInt8](repeating: 3, count: 32))),
        (
            "candidate",
            .candidate([
                Candidate(address: .ipv4(0x0A00_0001), port: 5_004, fingerprint: [UInt8](repeating: 9, count: 32)),
                Candidate(address: .ipv6(high: 1, low: 2), port: 5_004, fingerprint: []),
            ])
        ),
    ]

    private static var declaration: Declaration {
        let stream = StreamDescription(
            kind: .video, source: .camera, name: "camera", ssrc: 7, rtxSSRC: 8,
            formats: [PayloadFormat(payloadType: 96, codec: .vp8)])
        return Declaration(id: id, stream: stream, isMuted: false, version: 1, cryptor: CryptorUse(id: 1, epoch: 2))
    }

    static func messages() throws -> [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, message) in samples { seeds[name] = [message.type.rawValue] + (try message.encodedFields()) }
        return seeds
    }

    static func frames() throws -> [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        var inOrder: [[UInt8]] = []
        for (name, message) in samples {
            let frame = try frame(message, sequence: 0)
            seeds[name] = DatagramScript.input([frame.bytes])
            if case .hello = message { continue }
            var next = frame
            if frame.stream == .call { next.sequence = UInt32(inOrder.count) }
            inOrder.append(next.bytes)
        }
        seeds["a-whole-call"] = DatagramScript.input(inOrder)
        seeds["reordered-and-repeated"] = DatagramScript.input(Array(inOrder.reversed()) + inOrder)
        seeds["fragments"] = DatagramScript.input(try fragments())
        var acknowledgement = Frame(
            version: 1, session: SessionPair(sender: ControlTrial.peer, answered: ControlTrial.own), stream: .call,
            type: .acknowledgement)
        acknowledgement.acknowledgement = Acknowledgement(next: 3, bitmap: 0xF0F0_F0F0)
        seeds["acknowledgement"] = DatagramScript.input([acknowledgement.bytes])
        var restart = try frame(.hello(ControlTrial.hello), sequence: 1)
        restart.session = SessionPair(sender: 10, answered: 0)
        restart.wantsAnswer = true
        seeds["a-restarted-peer"] = DatagramScript.input([restart.bytes, restart.bytes])
        return seeds
    }

    private static func frame(_ message: ControlMessage, sequence: UInt32) throws -> Frame {
        let stream: StreamNumber =
            switch message {
            case .hello: .link
            case .message, .delivered: .text
            default: .call
            }
        var frame = Frame(
            version: 1, session: SessionPair(sender: ControlTrial.peer, answered: ControlTrial.own), stream: stream,
            type: message.type)
        frame.sequence = sequence
        frame.fields = try message.encodedFields()
        return frame
    }

    private static func fragments() throws -> [[UInt8]] {
        let text = String(repeating: "t", count: 1_300)
        var frame = try frame(.message(call, id: call, sentAt: 1, deadline: 2, text: text), sequence: 0)
        let fields = frame.fields
        frame.fragment = Fragment(index: 0, count: 2)
        frame.fields = Array(fields.prefix(Frame.payloadBytes))
        let first = frame.bytes
        frame.fragment.index = 1
        frame.sequence = 1
        frame.fields = Array(fields.dropFirst(Frame.payloadBytes))
        return [first, frame.bytes]
    }
}
