// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// A transport that remembers the last thousand RTCP datagrams sent through it.
final class TappedTransport: Transport {
    struct Sent: Equatable {
        var at: Instant
        var bytes: [UInt8]
    }

    private let transport: any Transport
    private let scheduler: any Scheduler
    private let sent = Locked<[Sent]>([])

    init(_ transport: any Transport, scheduler: any Scheduler) {
        self.transport = transport
        self.scheduler = scheduler
    }

    /// All packets of all compounds sent so far, with their times.
    var reports: [(at: Instant, packet: RTCPPacket)] {
        sent.withLock { $0 }.flatMap { sent in
            sent.bytes.withUnsafeBytes { bytes in
                var reader = RTCPReader(bytes)
                var packets: [(Instant, RTCPPacket)] = []
                while let packet = try? reader.next() { packets.append((sent.at, packet)) }
                return packets
            }
        }
    }

    var limits: TransportLimits { transport.limits }

    func start(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate
    ) throws(TransportError) -> TransportState {
        try transport.start(configuration, savedata: savedata, delegate: delegate)
    }

    func perform(_ command: TransportCommand) { transport.perform(command) }

    @discardableResult
    func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Bool {
        if DatagramKind.of(datagram) == .rtcp {
            sent.withLock { sent in
                if sent.count == 1_000 { sent.removeFirst() }
                sent.append(Sent(at: scheduler.now, bytes: Array(datagram)))
            }
        }
        return transport.send(datagram, to: peer)
    }

    func savedata() -> [UInt8] { transport.savedata() }
    func stop() { transport.stop() }
}
