// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The connection to one participant, shared by all tracks from them. Look at `isReliable` first.
public struct IceCandidatePairStatistics: Sendable, Equatable {
    /// 0 = none, 1 = TCP relay, 2 = UDP relay, 3 = direct UDP.
    public let connectionType: Int32
    /// Round-trip time in milliseconds; -1 until measured.
    public let rttMs: Int32
    /// Jitter in milliseconds (RFC 3550 §6.4.1).
    public let jitterMs: UInt32
    /// Lost packets in percent.
    public let packetLossRate: Float
    /// Our own estimate of what can be sent, in kbit/s.
    public let uploadBitrateKbps: UInt32
    /// The other side's estimate of what it can send, in kbit/s, as reported by it.
    public let downloadBitrateKbps: UInt32
    /// The most that the other side says it wants to receive, in kbit/s.
    public let remoteSuggestedBitrateKbps: UInt32
    /// Bytes sent to this participant since the connection started.
    public let bytesSent: UInt64
    /// Bytes received from this participant since the connection started.
    public let bytesReceived: UInt64
    /// Packets sent to this participant since the connection started.
    public let packetsSent: UInt64
    /// Packets received from this participant since the connection started.
    public let packetsReceived: UInt64

    /// Whether there is a connection and its round-trip time is known; until then the other values mean little.
    public var isReliable: Bool { connectionType != 0 && rttMs >= 0 }

    init(connectionType: Int32, quality: Quality, traffic: Traffic) {
        self.connectionType = connectionType
        rttMs = quality.rttMs
        jitterMs = quality.jitterMs
        packetLossRate = quality.packetLossRate
        uploadBitrateKbps = quality.uploadKbps
        downloadBitrateKbps = quality.downloadKbps
        remoteSuggestedBitrateKbps = quality.suggestedKbps
        bytesSent = traffic.bytesSent
        bytesReceived = traffic.bytesReceived
        packetsSent = traffic.packetsSent
        packetsReceived = traffic.packetsReceived
    }

    /// How the connection performs; -1 and 0 stand for “not measured”.
    struct Quality: Sendable, Equatable {
        var rttMs: Int32 = -1
        var jitterMs: UInt32 = 0
        var packetLossRate: Float = 0
        var uploadKbps: UInt32 = 0
        var downloadKbps: UInt32 = 0
        var suggestedKbps: UInt32 = 0
    }

    /// What went over the connection since it started.
    struct Traffic: Sendable, Equatable {
        var bytesSent: UInt64 = 0
        var bytesReceived: UInt64 = 0
        var packetsSent: UInt64 = 0
        var packetsReceived: UInt64 = 0
    }
}

extension FriendConnectionPaths {
    /// The best path's number in `IceCandidatePairStatistics.connectionType`.
    var connectionType: Int32 {
        if contains(.udpDirect) { return 3 }
        if contains(.udpRelay) { return 2 }
        return contains(.tcpRelay) ? 1 : 0
    }
}
