// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

extension Session {
    mutating func receivedDeclaration(
        _ declaration: Declaration, call: WireID, from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        let own = publishing.to(peer).flatMap { [$0.stream.ssrc, $0.stream.rtxSSRC] }
        guard let outcome = changeCall(with: peer, { $0.slots.declared(declaration, own: own) }) else { return }
        switch outcome {
        case .subscribed(let subscription, let replaced):
            if let replaced { unsubscribe(replaced, of: peer, into: &effects) }
            effects += [
                .startReceiving(peer, subscription.id, subscription.stream),
                .notify(.subscribed(peer, subscription.id, subscription.stream, muted: subscription.isMuted)),
            ]
        case .known(let muted):
            if let muted { effects.append(.notify(.remoteMuted(peer, declaration.id, muted))) }
        case .stale: return
        case .refused(let refusal):
            effects.append(.log(LogLine(.warning, "publications", "A declaration was refused: \(refusal).")))
            return
        }
        _ = send(.declared(call, declaration.id, version: declaration.version), to: peer, at: now, into: &effects)
    }

    mutating func receivedWithdrawal(
        _ id: PublicationID, version: UInt32, from peer: PeerID, into effects: inout [Effect]
    ) {
        let gone = changeCall(with: peer) { $0.slots.withdrawn(id, version: version) } ?? nil
        if let gone { unsubscribe(gone, of: peer, into: &effects) }
    }

    mutating func receivedMute(
        _ id: PublicationID, isMuted: Bool, version: UInt32, from peer: PeerID, into effects: inout [Effect]
    ) {
        let flip = changeCall(with: peer) { $0.slots.restate(id, isMuted: isMuted, version: version) } ?? nil
        if let flip { effects.append(.notify(.remoteMuted(peer, id, flip))) }
    }

    func unsubscribe(
        _ subscription: SubscriptionSlots.Subscription, of peer: PeerID, into effects: inout [Effect]
    ) {
        effects += [.stopReceiving(peer, subscription.id), .notify(.unsubscribed(peer, subscription.id))]
    }
}
