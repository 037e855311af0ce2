// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Who befriends whom.
extension NetworkState {
    private static let rememberedRequesters = 32

    mutating func add(_ address: FriendAddress, message: String, on machine: Int, me: PeerID) -> String? {
        guard (1...InMemoryTransport.limits.requestBytes).contains(message.utf8.count) else {
            return "a request has 1…\(InMemoryTransport.limits.requestBytes) bytes"
        }
        guard address.peer != me else { return "this is our own address" }
        guard let run = machines[machine].run, run.account.position(of: address.peer) == nil else {
            return "a friend already"
        }
        let request = Account.Friend.Request(nospam: address.nospam, message: message)
        machines[machine].run?.account.friends.append(Account.Friend(peer: address.peer, request: request))
        reportSavedataChange(of: machine)
        reassess(Pair(me, address.peer))
        alarm(now + timing.contact, .request(from: me, run: run.number, to: address.peer, attempt: 0))
        return nil
    }

    mutating func accept(_ peer: PeerID, on machine: Int, me: PeerID) {
        if let position = machines[machine].run?.account.position(of: peer) {
            machines[machine].run?.account.friends[position].request = nil
        } else {
            machines[machine].run?.account.friends.append(Account.Friend(peer: peer))
        }
        reportSavedataChange(of: machine)
        reassess(Pair(me, peer))
    }

    mutating func delete(_ peer: PeerID, on machine: Int, me: PeerID) {
        guard let position = machines[machine].run?.account.position(of: peer) else { return }
        sayGoodbye(from: me, to: peer)
        sessions[Pair(me, peer)]?.forget(me, in: Pair(me, peer))
        machines[machine].run?.account.friends.remove(at: position)
        machines[machine].run?.requesters.removeAll { $0 == peer }
        reportSavedataChange(of: machine)
        reassess(Pair(me, peer))
    }

    /// A request that waits is tried until the two meet; in vain with an address that is no longer valid.
    mutating func tryRequest(from sender: PeerID, run number: UInt64, to receiver: PeerID, attempt: Int) {
        guard let (machine, run) = run(of: sender), run.number == number,
            let position = run.account.position(of: receiver),
            let request = run.account.friends[position].request
        else { return }
        if let (target, other) = self.run(of: receiver), run.isJoined, other.isJoined, machines[machine].isPlugged,
            machines[target].isPlugged, isOpen(machine, target)
        {
            guard other.account.nospam == request.nospam, other.account.position(of: sender) == nil,
                !other.requesters.contains(sender)
            else { return }
            machines[target].run?.requesters.append(sender)
            if other.requesters.count >= NetworkState.rememberedRequesters {
                machines[target].run?.requesters.removeFirst()
            }
            let instant = now
            let arrival = withLink(from: machine, to: target) { $0.carryReliably(at: instant) }
            report(.friendRequest(sender, message: request.message), to: target, at: arrival)
        } else {
            let wait = Interval.seconds(5) * Int64(1 << min(attempt, 4))
            alarm(now + wait, .request(from: sender, run: number, to: receiver, attempt: attempt + 1))
        }
    }

    mutating func setProfile(_ event: TransportEvent, on machine: Int, _ change: (inout Profile) -> Void) {
        guard var account = machines[machine].run?.account else { return }
        change(&account.profile)
        machines[machine].run?.account = account
        reportSavedataChange(of: machine)
        for friend in account.friends {
            enqueue(.profile(event), Direction(from: account.peer, to: friend.peer))
        }
    }
}
