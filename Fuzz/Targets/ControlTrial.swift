// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

enum ControlTrial {
    /// The nonce of the link on trial, and that of the peer whom it knows.
    static let own: UInt64 = 1
    static let peer: UInt64 = 9
    static let hello = Hello(capabilities: .explicitMute)

    /// A link that has greeted a peer.
    static func establishedLink() -> ControlLink {
        var link = ControlLink(nonce: own, hello: hello)
        _ = link.connect(at: .zero)
        var frame = Frame(session: SessionPair(sender: peer, answered: own), stream: .link, type: .hello)
        frame.sequence = 1
        frame.acknowledgement.next = 1
        frame.fields = (try? ControlMessage.hello(hello).encodedFields()) ?? []
        _ = link.receive(frame.bytes, at: .zero + .milliseconds(10))
        precondition(link.isEstablished, "the trial needs a link that is up")
        return link
    }

    static func frames(_ input: [UInt8]) {
        var link = establishedLink()
        var now = Instant.zero + .milliseconds(20)
        for (milliseconds, datagram) in DatagramScript(input) {
            now = now + .milliseconds(milliseconds)
            let actions = link.receive(datagram, at: now)
            precondition(actions.count <= 512, "\(actions.count) answers to one datagram")
            if let due = link.nextDeadline, due <= now { _ = link.timerFired(at: now) }
        }
    }

    static func message(_ input: [UInt8]) {
        guard let first = input.first, let type = ControlType(rawValue: first),
            let message = try? ControlMessage(type: type, fields: Array(input.dropFirst())),
            let fields = try? message.encodedFields()
        else { return }
        let again = try? ControlMessage(type: message.type, fields: fields)
        precondition(again == message, "\(message) comes back as \(String(describing: again))")
    }
}
