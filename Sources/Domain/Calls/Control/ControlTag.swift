// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The type byte of a frame.
package enum ControlType: UInt8, CaseIterable {
    /// Nothing but an acknowledgement; never numbered, never acknowledged.
    case acknowledgement = 0
    case hello = 1
    case invite = 2
    case ringing = 3
    case accept = 4
    case reject = 5
    case cancel = 6
    case hangup = 7
    case goodbye = 8
    case resume = 9
    case declare = 10
    case declared = 11
    case withdraw = 12
    case mute = 13
    case message = 14
    case delivered = 15
    case muteRequest = 16
    case want = 17
    case presence = 18
    case candidate = 19
}

/// The tag byte of a field. A tag means the same in every type.
package enum ControlTag: UInt8, CaseIterable {
    case call = 1
    case publication = 2
    case version = 3
    case messageID = 4
    case text = 5
    case muted = 6
    case rtpTime = 7
    case sentAt = 8
    case deadline = 9
    case state = 10
    case kind = 11
    case source = 12
    case name = 13
    case ssrc = 14
    case rtxSSRC = 15
    case format = 16
    case cryptor = 17
    case width = 18
    case height = 19
    case fps = 20
    case status = 21
    case key = 22
    case candidate = 23
    case lowestVersion = 24
    case highestVersion = 25
    case capabilities = 26

    /// How often the tag may come in one message.
    var limit: Int {
        switch self {
        case .state: ControlLimits.publications
        case .format: ControlLimits.formats
        case .candidate: ControlLimits.candidates
        default: 1
        }
    }
}
