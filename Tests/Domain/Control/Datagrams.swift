// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// What a peer says, byte for byte.
enum Datagrams {
    static func hello(
        from sender: UInt64, answering answered: UInt64 = 0, number: UInt32 = 1, echo: UInt32 = 0,
        wantsAnswer: Bool = true, hello: Hello = .ours
    ) throws -> [UInt8] {
        var frame = Frame(session: SessionPair(sender: sender, answered: answered), stream: .link, type: .hello)
        frame.wantsAnswer = wantsAnswer
        frame.sequence = number
        frame.acknowledgement.next = echo
        frame.fields = try ControlMessage.hello(hello).encodedFields()
        return frame.bytes
    }

    static func frame(
        _ message: ControlMessage, sequence: UInt32, from sender: UInt64 = 9, to answered: UInt64 = 1,
        version: UInt8 = 1
    ) throws -> Frame {
        let isText = message.isText
        var frame = Frame(
            version: version, session: SessionPair(sender: sender, answered: answered),
            stream: isText ? .text : .call, type: message.type)
        frame.sequence = sequence
        frame.fields = try message.encodedFields()
        return frame
    }

    /// A link of nonce 1 that knows the peer of nonce 9.
    static func establishedLink() throws -> ControlLink {
        var link = ControlLink(nonce: 1, hello: .ours)
        _ = link.connect(at: .zero)
        let actions = link.receive(
            try hello(from: 9, answering: 1, echo: 1, wantsAnswer: false), at: .zero + .milliseconds(10))
        precondition(actions == [.established(.ours), .heard])
        return link
    }

    /// The frames among actions.
    static func frames(_ actions: [ControlLink.Action]) throws -> [Frame] {
        try actions.compactMap { action in
            guard case .send(let bytes) = action else { return nil }
            return try Frame(parsing: bytes, versions: 1...255)
        }
    }
}
