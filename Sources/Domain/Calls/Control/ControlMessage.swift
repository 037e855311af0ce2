// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What two peers tell each other reliably: each case is one type of `docs/control.md`.
///
/// A message that belongs to a call carries the call's identifier first, so that a late one never touches another call.
public enum ControlMessage: Sendable, Equatable {
    /// The protocol versions and abilities of the sender. The link's own: `ControlLink.send` refuses it.
    case hello(Hello)
    /// Come into this call; the message has at most 256 bytes.
    case invite(WireID, message: String?)
    /// The invitation is being shown.
    case ringing(WireID)
    /// The invitation is accepted.
    case accept(WireID)
    /// The invitation is refused.
    case reject(WireID)
    /// The caller takes the invitation back.
    case cancel(WireID)
    /// The call is over.
    case hangup(WireID)
    /// The sender leaves for good: ends everything between both.
    case goodbye
    /// A path came back: what the sender still publishes in this call; at most 16 entries.
    case resume(WireID, [PublicationState])
    /// The sender publishes a stream in this call.
    case declare(WireID, Declaration)
    /// The declaration of this version is known: media may come.
    case declared(WireID, PublicationID, version: UInt32)
    /// The publication is gone.
    case withdraw(WireID, PublicationID, version: UInt32)
    /// Whether the publication carries real media, and since which RTP time if known.
    case mute(WireID, PublicationID, isMuted: Bool, rtpTime: UInt32?, version: UInt32)
    /// A room message with its own identifier. Times in milliseconds of call time; text of at most 1,372 bytes.
    case message(WireID, id: WireID, sentAt: UInt32, deadline: UInt32, text: String)
    /// The message or mute request with this identifier has reached the integrator.
    case delivered(WireID)
    /// Please mute (or unmute), with its own identifier. Times in milliseconds of call time.
    case muteRequest(WireID, id: WireID, sentAt: UInt32, deadline: UInt32, isMuted: Bool)
    /// What the receiver shows of a publication; all zero means nothing.
    case want(WireID, PublicationID, width: UInt16, height: UInt16, fps: UInt8)
    /// The sender's presence, and the key (at most 64 bytes) that signs its broker presence.
    case presence(status: UInt8, key: [UInt8])
    /// Where else the sender may be reached; at most 8.
    case candidate([Candidate])
}
