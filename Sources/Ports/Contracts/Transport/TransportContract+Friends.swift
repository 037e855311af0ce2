// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

extension TransportContract {
    var lifePromises: [Promise] {
        [
            promise("a transport states limits that calls can live with") { lab in
                let limits = lab.make("alice").limits
                try expect(limits.datagramBytes >= 1_188, "datagrams of \(limits.datagramBytes) bytes")
                try expect(limits.requestBytes >= 1 && limits.textBytes >= 1, "\(limits)")
            },
            promise("without savedata each start makes a new identity, without friends") { lab in
                let pair = try ContractPair(lab)
                defer { pair.stop() }
                try expect(pair.alice.id != pair.bob.id, "the same identity twice")
                try expect(pair.alice.state.friends.isEmpty, "friends: \(pair.alice.state.friends)")
            },
            promise("a second start is an error and changes nothing") { lab in
                let alice = try ContractPeer(lab, "alice")
                defer { alice.transport.stop() }
                let before = alice.transport.savedata()
                try expectError("the second start") { () throws(TransportError) in
                    try alice.transport.start(lab.configuration, savedata: nil, delegate: ContractEar())
                } where: {
                    $0 == .alreadyStarted
                }
                try expect(alice.transport.savedata() == before, "the savedata changed")
            },
            promise("there is savedata between start and stop, and none before or after") { lab in
                let transport = lab.make("alice")
                try expect(transport.savedata().isEmpty, "before start")
                _ = try transport.start(lab.configuration, savedata: nil, delegate: ContractEar())
                let during = transport.savedata()
                transport.stop()
                try expect(!during.isEmpty, "none while it runs")
                try expect(transport.savedata().isEmpty, "after stop")
            },
            promise("a restart with savedata keeps identity, profile and friends") { lab in
                let stranger = try ContractPeer(lab, "bob")
                stranger.transport.stop()
                let first = try ContractPeer(lab, "alice")
                first.transport.perform(.setName("Alice"))
                first.transport.perform(.setStatusMessage("here"))
                first.transport.perform(.acceptFriend(stranger.id))
                try await lab.time.wait(for: "change of savedata", within: lab.patience) {
                    first.ear.changes.count >= 1
                }
                try await lab.time.pass(.milliseconds(200))
                let savedata = first.transport.savedata()
                first.transport.stop()
                let second = try ContractPeer(lab, "alice", savedata: savedata)
                defer { second.transport.stop() }
                try expect(second.state.address == first.state.address, "another address")
                try expect(second.state.profile.name == "Alice", "the name is \(second.state.profile.name)")
                try expect(second.state.profile.statusMessage == "here", "the status message is lost")
                try expect(second.state.friends.map(\.peer) == [stranger.id], "friends: \(second.state.friends)")
            },
            promise("savedata that is not whole is refused, and never becomes a new identity") { lab in
                let first = try ContractPeer(lab, "alice")
                let whole = first.transport.savedata()
                first.transport.stop()
                var flipped = whole
                flipped[whole.count / 2] ^= 0x10
                let damaged: [(String, [UInt8])] = [
                    ("no bytes", []), ("the first half", Array(whole.prefix(whole.count / 2))),
                    ("all but a byte", Array(whole.dropLast())), ("a flipped bit", flipped),
                    ("zeros", [UInt8](repeating: 0, count: whole.count)),
                ]
                for (name, bytes) in damaged {
                    let transport = lab.make("alice")
                    defer { transport.stop() }
                    try expectError(name) { () throws(TransportError) in
                        try transport.start(lab.configuration, savedata: bytes, delegate: ContractEar())
                    } where: {
                        if case .damagedSavedata = $0 { true } else { false }
                    }
                }
            },
            promise("a configuration without UDP and without relays is refused") { lab in
                var configuration = lab.configuration
                configuration.udpEnabled = false
                configuration.tcpRelayEnabled = false
                let transport = lab.make("alice")
                defer { transport.stop() }
                try expectError("the start") { () throws(TransportError) in
                    try transport.start(configuration, savedata: nil, delegate: ContractEar())
                } where: {
                    if case .invalidConfiguration = $0 { true } else { false }
                }
            },
            promise(friends: "nothing is heard after stop, and a second stop does nothing") { pair in
                _ = pair.bob.send([82, 2, 3], to: pair.alice.id)
                pair.alice.transport.stop()
                let calls = pair.alice.ear.calls
                _ = pair.bob.send([82, 2, 3], to: pair.alice.id)
                try await pair.lab.time.pass(.milliseconds(300))
                try expect(pair.alice.ear.calls == calls, "\(pair.alice.ear.calls - calls) calls")
                pair.alice.transport.stop()
                try expect(!pair.alice.send([1], to: pair.bob.id), "a stopped transport took a datagram")
            },
            promise(friends: "a friend's clean stop is known at once") { pair in
                pair.bob.transport.stop()
                try await pair.lab.time.wait(for: "empty paths", within: .seconds(5)) {
                    !pair.sees(pair.alice, pair.bob)
                }
            },
        ]
    }

    var friendPromises: [Promise] {
        [
            promise("a request arrives with its text, and accepting it makes a path on both sides") { lab in
                let pair = try ContractPair(lab)
                defer { pair.stop() }
                try await pair.ask(message: "grüß dich 🙂")
                pair.bob.transport.perform(.acceptFriend(pair.alice.id))
                try await pair.wait(for: "path on both sides") {
                    pair.sees(pair.alice, pair.bob) && pair.sees(pair.bob, pair.alice)
                }
            },
            promise("the longest request arrives; one byte more, none at all, or one to ourselves fails") { lab in
                let pair = try ContractPair(lab)
                defer { pair.stop() }
                let longest = String(repeating: "r", count: pair.alice.transport.limits.requestBytes)
                let commands: [TransportCommand] = [
                    .addFriend(pair.bob.state.address, message: longest + "r"),
                    .addFriend(pair.bob.state.address, message: ""),
                    .addFriend(pair.alice.state.address, message: "me"),
                ]
                for command in commands { pair.alice.transport.perform(command) }
                try await pair.wait(for: "three failures") {
                    let failed = pair.alice.ear.events.all.compactMap { event -> TransportCommand? in
                        if case .commandFailed(let command, _) = event { command } else { nil }
                    }
                    return failed == commands
                }
                try await pair.ask(message: longest)
            },
            promise(friends: "a change of name, status message and availability reaches the friend, in order") { pair in
                pair.alice.transport.perform(.setName("Ålice"))
                pair.alice.transport.perform(.setStatusMessage("at work"))
                pair.alice.transport.perform(.setAvailability(.busy))
                let wanted: [TransportEvent] = [
                    .name(pair.alice.id, "Ålice"), .statusMessage(pair.alice.id, "at work"),
                    .availability(pair.alice.id, .busy),
                ]
                try await pair.wait(for: "new profile") { wanted.allSatisfy(pair.bob.has) }
                let order = pair.bob.ear.events.all.filter(wanted.contains)
                try expect(order == wanted, "\(order)")
            },
            promise(friends: "a deleted friend is no friend any more, and sees no path") { pair in
                pair.alice.transport.perform(.deleteFriend(pair.bob.id))
                try await pair.wait(for: "empty paths") { !pair.sees(pair.bob, pair.alice) }
                try expect(!pair.alice.send([1], to: pair.bob.id), "a datagram to a deleted friend was taken")
            },
            promise(friends: "making friends is announced as worth saving") { pair in
                try expect(pair.alice.ear.changes.count >= 1, "not by the one who asked")
                try expect(pair.bob.ear.changes.count >= 1, "not by the one who accepted")
            },
        ]
    }
}
