// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the outside must do after the session handled something, in order.
public enum Effect: Sendable, Equatable {
    /// Ask the transport.
    case transport(TransportCommand)
    /// Send this control frame.
    case send([UInt8], to: PeerID)
    /// Send an RTCP keep-alive.
    case keepAlive(PeerID)
    /// A call became active: media to and from the peer may flow.
    case openMedia(PeerID)
    /// The call ended: forget everything of its media.
    case closeMedia(PeerID)
    /// The peer has declared our publication known: send what the outlet says.
    case startSending(PublicationID, OutletContent)
    /// What a publication that sends carries from now on.
    case setOutlet(PublicationID, OutletContent)
    /// Stop sending at once.
    case stopSending(PublicationID)
    /// A path came back: the next picture of each publication to this peer must be a keyframe.
    case refreshMedia(PeerID)
    /// The peer declared a stream: be ready for its packets.
    case startReceiving(PeerID, PublicationID, StreamDescription)
    /// The peer's stream is gone.
    case stopReceiving(PeerID, PublicationID)
    /// Tell the integrator.
    case notify(Notice)
    /// An operation that someone waits for has ended.
    case finish(OperationID, OperationOutcome)
    /// The stored part of the state changed: save `Session.stored`.
    case persist
    /// Worth a line in the log.
    case log(LogLine)
}

/// What a recipient of a publication gets.
public enum OutletContent: UInt8, Hashable, Sendable {
    /// Nothing: the source never started.
    case nothing
    /// The track's own frames.
    case media
    /// The placeholder picture, or silence.
    case placeholder
}

/// How an operation ended.
public enum OperationOutcome: Sendable, Equatable {
    /// It did what was asked.
    case done
    /// It failed; nothing of it remains.
    case failed(OperationFailure)
}

/// Why an operation failed after it had started.
public enum OperationFailure: Error, Hashable, Sendable {
    /// The call ended.
    case disconnected
    /// The peer did not answer in time, although a path worked.
    case timedOut
    /// Whoever started it took it back, or the instance is being destroyed.
    case cancelled
    /// No path to the peer.
    case notReachable
    /// Too much waits already.
    case queueFull
}

/// A line for the log. Never a peer's text or key above debug.
public struct LogLine: Hashable, Sendable {
    /// How much it matters.
    public enum Level: UInt8, Hashable, Sendable, Comparable, CaseIterable {
        /// Each packet.
        case trace = 0
        /// Each decision.
        case debug = 1
        /// Each change that a user would name.
        case info = 2
        /// Something is wrong but handled.
        case warning = 3
        /// Something failed.
        case error = 4
        /// Order of weight.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
    /// The level.
    public var level: Level
    /// The part of the system that speaks.
    public var source: String
    /// The sentence.
    public var message: String
    /// A line.
    public init(_ level: Level, _ source: String, _ message: String) {
        self.level = level
        self.source = source
        self.message = message
    }
}
