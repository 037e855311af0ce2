// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// What a peer process tells whoever started it: one JSON object a line.
enum PeerEvent: Codable, Equatable, Sendable {
    /// The instance runs: who it is, and how many friends it knows already.
    case ready(id: String, address: String, friends: Int)
    /// `offline`, `tcp` or `udp`.
    case reachability(String)
    case friendRequestSent(to: String)
    case friendRequest(from: String, message: String)
    case friendAccepted(String)
    /// Bits as documented; 0 when there is no path.
    case paths(friend: String, bits: Int)
    case invited(String)
    case invitation(from: String)
    case accepted(from: String)
    case invitationEnded(friend: String, reason: String)
    case connected(String)
    case published(kind: String, options: String)
    case subscribed(kind: String, mimeType: String)
    case unsubscribed(kind: String)
    /// Our own camera.
    case cameraMuted(Bool)
    /// The friend's publication, as this side sees it.
    case remoteMuted(kind: String, Bool)
    case second(SecondSample)
    case hungUp
    case disconnected(reason: String)
    /// What this side sent.
    case sent(SentSummary)
    /// What this side received and measured.
    case received(ReceivedSummary)
    case warning(String)
    case failed(String)
}

/// A line of a peer's output.
struct PeerLine: Codable, Equatable, Sendable {
    /// Nanoseconds on the machine's monotonic clock, which all processes share.
    var time: Int64
    var event: PeerEvent

    init(time: Int64, event: PeerEvent) {
        self.time = time
        self.event = event
    }

    init(decoding line: String) throws { self = try JSONDecoder().decode(PeerLine.self, from: Data(line.utf8)) }

    /// The line, without its end.
    func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// What a sender counted.
struct SentSummary: Codable, Equatable, Sendable {
    /// Pictures that the source gave while it was published.
    var captured = 0
    /// What the source gave, in pictures a second.
    var captureRate = 0.0
    /// Pictures that left the encoder, placeholders not counted.
    var encoded = 0
    var keyframes = 0
    var videoBytes = 0
    var audioPackets = 0
    var audioBytes = 0
    /// Milliseconds in the encoder.
    var encode = Figures()
}

/// What a receiver measured on decoded media.
struct ReceivedSummary: Codable, Equatable, Sendable {
    /// Seconds from the first picture to the last.
    var duration = 0.0
    /// Encoded pictures that reached the decoder, placeholders not counted.
    var received = 0
    /// Decoded pictures given to the renderer, placeholders not counted.
    var shown = 0
    /// Shown pictures whose stamp could not be read.
    var unreadable = 0
    /// Shown pictures that were not newer than the one before.
    var outOfOrder = 0
    var fps = 0.0
    var kilobits = 0.0
    /// Milliseconds, glass to glass.
    var latency = Figures()
    var psnr = Figures()
    var ssim = Figures()
    /// Milliseconds from the capture of a sound mark to the rendering of its first sample.
    var audioDelay = Figures()
    /// Milliseconds by which sound comes after the picture of its moment; negative when it comes before.
    var lipSync = Figures()
    /// Sound that was not silence, in seconds.
    var soundSeconds = 0.0
    /// Processor time of the process during the call, in percent of a core.
    var cpu = 0.0
    var width = 0
    var height = 0
}

/// A distribution in brief.
struct Figures: Codable, Equatable, Sendable {
    var count = 0
    var minimum: Double?
    var median: Double?
    var mean: Double?
    var p95: Double?

    init() {}

    init(_ distribution: Distribution) {
        count = distribution.count
        minimum = distribution.minimum
        median = distribution.median
        mean = distribution.mean
        p95 = distribution.percentile(95)
    }
}
