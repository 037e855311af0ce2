// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

extension ControlMessage {
    /// Messages of every type, at both ends of what they may carry.
    static let samples: [ControlMessage] = [
        .hello(Hello(lowestVersion: 1, highestVersion: 255, capabilities: Capabilities(rawValue: .max))),
        .invite(one, message: nil),
        .invite(one, message: ""),
        .invite(two, message: String(repeating: "é", count: 128)),
        .ringing(one), .accept(two), .reject(one), .cancel(two), .hangup(one),
        .goodbye,
        .resume(one, []),
        .resume(one, (0..<16).map { .init(id: PublicationID(rawValue: $0), version: .max - $0, isMuted: $0 % 2 == 0) }),
        .declare(one, declaration(name: "", formats: [], cryptor: nil)),
        .declare(
            two,
            declaration(
                name: String(repeating: "n", count: 128),
                formats: (0..<8).map { PayloadFormat(payloadType: 120 + $0, codec: .allCases[Int($0) % 4]) },
                cryptor: CryptorUse(id: 9, epoch: .max))),
        .declared(one, PublicationID(rawValue: 1), version: 0),
        .withdraw(two, PublicationID(rawValue: .max), version: .max),
        .mute(one, PublicationID(rawValue: 2), isMuted: true, rtpTime: nil, version: 3),
        .mute(one, PublicationID(rawValue: 2), isMuted: false, rtpTime: .max, version: 4),
        .message(one, id: two, sentAt: 0, deadline: .max, text: ""),
        .message(two, id: one, sentAt: .max, deadline: 0, text: String(repeating: "t", count: 1_372)),
        .delivered(two),
        .muteRequest(one, id: two, sentAt: 1, deadline: 2, isMuted: true),
        .want(one, PublicationID(rawValue: 3), width: 0, height: .max, fps: 60),
        .presence(status: 0, key: []),
        .presence(status: 255, key: Array(repeating: 0xAB, count: 64)),
        .candidate([]),
        .candidate((0..<8).map { .init(address: .ipv4(.max - $0), port: 33_445, fingerprint: []) }),
        .candidate([
            Candidate(address: .ipv6(high: .max, low: 1), port: 0, fingerprint: Array(repeating: 1, count: 64))
        ]),
    ]

    private static let one = WireID(high: 0x0102_0304_0506_0708, low: .max)
    private static let two = WireID(high: 0, low: 0)

    static func declaration(
        name: String, formats: [PayloadFormat], cryptor: CryptorUse? = nil
    ) -> Declaration {
        let stream = StreamDescription(
            kind: .video, source: .camera, name: name, ssrc: 0xDEAD_BEEF, rtxSSRC: 1, formats: formats)
        return Declaration(
            id: PublicationID(rawValue: 77), stream: stream, isMuted: true, version: 6, cryptor: cryptor)
    }
}
