// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension ControlLink {
    /// A datagram of the peer has arrived. Any bytes are safe.
    public mutating func receive(_ datagram: [UInt8], at now: Instant) -> [Action] {
        var actions: [Action] = []
        do throws(ControlDrop) {
            let frame = try Frame(parsing: datagram, versions: hello.versions)
            guard !sessions.isRetired(frame.session.sender) else { throw .retiredSession }
            if frame.type == ControlType.hello.rawValue {
                actions += try receivedHello(frame, at: now)
            } else {
                actions += try received(frame, at: now)
            }
        } catch {
            actions.append(drop(error))
        }
        return actions + poll(at: now)
    }

    /// A datagram of the peer has arrived while nothing further of it can be taken: what it acknowledges counts, and what
    /// it carries is left unacknowledged, so that the peer sends it again. Any bytes are safe.
    public mutating func receiveAcknowledgement(of datagram: [UInt8], at now: Instant) -> [Action] {
        var actions: [Action] = []
        do throws(ControlDrop) {
            var frame = try Frame(parsing: datagram, versions: hello.versions)
            guard frame.type != ControlType.hello.rawValue else { return poll(at: now) }
            frame.type = ControlType.acknowledgement.rawValue
            actions += try received(frame, at: now)
        } catch {
            actions.append(drop(error))
        }
        return actions + poll(at: now)
    }

    /// A hello: of the present session, or of one that may begin.
    private mutating func receivedHello(_ frame: Frame, at now: Instant) throws(ControlDrop) -> [Action] {
        let sender = frame.session.sender
        let answersUs = frame.session.answered == nonce
        guard answersUs || frame.session.answered == 0 else { throw .otherSession }
        let said = try Hello(try FieldReader(frame.fields))
        if sender != peer?.nonce {
            // While no session is at stake, an answer to the hello that went to whomever there is will do.
            let challenge = peer == nil ? greeting?.first ?? hellos.next : hellos.next
            sessions.heard(Newcomer(nonce: sender, hello: said, challenge: challenge))
        }
        var actions: [Action] = []
        if answersUs {
            actions += answered(by: sender, to: HelloNumber(rawValue: frame.acknowledgement.next), at: now)
        }
        if frame.wantsAnswer {
            // While we do not know that the peer hears us, the answer asks for one in turn.
            let isDoubtful = sender != peer?.nonce && sender != refused
            let number = HelloNumber(rawValue: frame.sequence)
            actions.append(
                .send(nextHelloFrame(to: sender, answering: number, wantsAnswer: isDoubtful, at: now)))
            if isDoubtful, isConnected {
                if greeting == nil { greeting = Greeting(first: hellos.next, at: now) }
                greeting?.sent(at: now)
            }
        }
        return actions
    }

    /// A session of the peer has answered our hello of this number.
    private mutating func answered(by sender: UInt64, to number: HelloNumber, at now: Instant) -> [Action] {
        guard !number.isAtLeast(hellos.next) else { return [drop(.impossibleAcknowledgement)] }
        let sample = hellos.time(of: number).map { now - $0 }
        if let peer, sender == peer.nonce {
            guard let asked = greeting, number.isAtLeast(asked.first) else { return [] }
            if let sample { roundTrip.measured(sample) }
            if sessions.newest == nil { greeting = nil } else { greeting?.answered(next: hellos.next) }
            return [.established(peer.hello), .heard]
        }
        guard let newcomer = sessions.newcomer(sender), number.isAtLeast(newcomer.challenge) else { return [] }
        if let sample { roundTrip.measured(sample) }
        return begin(newcomer)
    }

    /// The round trip with this session of the peer is done: it takes the place of the one before.
    private mutating func begin(_ newcomer: Newcomer) -> [Action] {
        var actions: [Action] = []
        if let old = peer {
            sessions.retire(old.nonce)
            peer = nil
            call = ControlStream(.call, firstSequence: firstSequence)
            text = ControlStream(.text, firstSequence: firstSequence)
            actions.append(.peerRestarted)
        }
        sessions.confirmed(newcomer.nonce)
        if sessions.newest == nil { greeting = nil }
        guard let version = hello.commonVersion(with: newcomer.hello) else {
            let isNews = refused != newcomer.nonce
            refused = newcomer.nonce
            return isNews ? actions + [.incompatible(newcomer.hello)] : actions
        }
        peer = Peer(nonce: newcomer.nonce, hello: newcomer.hello, version: version)
        return actions + [.established(newcomer.hello), .heard]
    }

    /// A numbered frame or an acknowledgement.
    private mutating func received(_ frame: Frame, at now: Instant) throws(ControlDrop) -> [Action] {
        guard frame.session.answered == nonce else { throw .otherSession }
        guard frame.session.sender == peer?.nonce else {
            // It believes that we know it: only a hello can mend that.
            if isConnected, greeting == nil { greet(at: now) }
            throw .beforeHello
        }
        guard frame.version == peer?.version else { throw .unsupportedVersion }
        var actions: [Action] = []
        switch frame.stream {
        case .call: actions += Self.received(frame, on: &call, measuring: &roundTrip, at: now)
        case .text: actions += Self.received(frame, on: &text, measuring: &roundTrip, at: now)
        case .link: throw .unknownStream
        }
        for case .dropped(let reason) in actions { drops.count(reason) }
        return actions
    }

    private static func received(
        _ frame: Frame, on stream: inout ControlStream, measuring roundTrip: inout RoundTrip, at now: Instant
    ) -> [Action] {
        var actions: [Action] = []
        var isFresh = false
        switch stream.sending.received(frame.acknowledgement, at: now) {
        case .nothing: break
        case .impossible: actions.append(.dropped(.impossibleAcknowledgement))
        case .progress(let receipts, let sample):
            isFresh = true
            if let sample { roundTrip.measured(sample) }
            for receipt in receipts { actions.append(.acknowledged(receipt)) }
        }
        if frame.type != ControlType.acknowledgement.rawValue {
            let part = EarlyFrame(
                sequence: frame.sequence, fragment: frame.fragment, type: frame.type, fields: frame.fields)
            switch stream.receiving.received(part, at: now) {
            case .dropped(let reason): actions.append(.dropped(reason))
            case .fresh(let arrivals):
                isFresh = true
                for arrival in arrivals { actions.append(action(for: arrival)) }
            }
        }
        return isFresh ? [.heard] + actions : actions
    }

    private static func action(for arrival: Reassembly.Arrival) -> Action {
        switch arrival {
        case .broken(let reason): return .dropped(reason)
        case .message(let number, let fields):
            do throws(ControlDrop) {
                guard let type = ControlType(rawValue: number) else { throw .unknownType }
                return .deliver(try ControlMessage(type: type, fields: fields))
            } catch {
                return .dropped(error)
            }
        }
    }

    private mutating func drop(_ reason: ControlDrop) -> Action {
        drops.count(reason)
        return .dropped(reason)
    }
}

extension Hello {
    /// The versions it names; a hello of our own that names none speaks none but the first.
    var versions: ClosedRange<UInt8> { lowestVersion...max(lowestVersion, highestVersion) }

    /// The fields of a hello frame.
    var fields: [UInt8] {
        var writer = FieldWriter()
        writer.put(.lowestVersion, lowestVersion)
        writer.put(.highestVersion, highestVersion)
        writer.put(.capabilities, capabilities.rawValue)
        return writer.bytes
    }
}
