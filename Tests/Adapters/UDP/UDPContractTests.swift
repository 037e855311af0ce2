// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueContracts
import RevueDispatch
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

/// An address of the loopback network for each lab, so that labs and programs side by side never meet.
enum LabHost {
    static let port: UInt16 = 21_804
    private static let count = Locked<UInt32>(0)

    static func next() -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let process = UInt32(truncatingIfNeeded: ProcessInfo.processInfo.processIdentifier)
        return "127.\(1 + (process >> 6) % 254).\((process % 64) * 4 + number / 250).\(number % 250 + 1)"
    }
}

/// Records what a transport reports.
final class LabEar: TransportDelegate {
    struct State: Sendable {
        var events: [TransportEvent] = []
        var datagrams: [[UInt8]] = []
        var saves = 0
    }
    let state = Locked(State())
    let onDatagram = Locked<(@Sendable () -> Void)?>(nil)

    func transport(didReport event: TransportEvent) { state.withLock { $0.events.append(event) } }
    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        let bytes = Array(datagram)
        state.withLock { $0.datagrams.append(bytes) }
        onDatagram.withLock { $0 }?()
    }
    func transportDidChangeSavedata() { state.withLock { $0.saves += 1 } }

    var events: [TransportEvent] { state.withLock { $0.events } }
    var datagrams: [[UInt8]] { state.withLock { $0.datagrams } }

    func paths(of peer: PeerID) -> Paths {
        events.reduce([]) { last, event in if case .paths(peer, let paths) = event { paths } else { last } }
    }
}

/// A running transport.
struct LabPeer {
    let transport: UDPTransport
    let ear = LabEar()
    let state: TransportState
    let host: String
    var id: PeerID { state.address.peer }
    var endpoint: Endpoint? { transport.localPort.flatMap { Endpoint(literal: host, port: $0) } }

    init(
        host: String = LabHost.next(), peers: [UDPTransport.Peer] = [], peersFile: String? = nil, port: UInt16 = 0,
        savedata: [UInt8]? = nil, timing: LabTiming = LabTiming(),
        network: TransportConfiguration = TransportConfiguration()
    ) throws {
        self.host = host
        let configuration = UDPTransport.Configuration(bind: host, port: port, peersFile: peersFile, peers: peers)
        transport = UDPTransport(configuration: configuration, timing: timing)
        state = try transport.start(network, savedata: savedata, delegate: ear)
    }

    @discardableResult
    func send(_ bytes: [UInt8], to peer: PeerID) -> Bool { bytes.withUnsafeBytes { transport.send($0, to: peer) } }
}

struct UDPContractTests {
    static let contract = TransportContract {
        let (alice, bob) = (LabHost.next(), LabHost.next())
        return TransportContract.Lab(time: .real(DispatchScheduler()), patience: .seconds(10)) { name in
            let (own, other) = name == "alice" ? (alice, bob) : (bob, alice)
            return UDPTransport(
                configuration: .init(
                    bind: own, port: LabHost.port, peers: [.init(host: other, port: LabHost.port)]))
        }
    }

    @Test(arguments: contract.promises)
    func `the lab transport keeps a transport's promises`(promise: Promise) async throws { try await promise.check() }
}
