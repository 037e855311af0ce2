// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts

/// toxcore's error codes as this transport's errors. Nothing above this file sees a code.
enum ErrorMapping {
    /// Why an instance was not made; nil for success.
    static func creation(_ code: Tox_Err_New, first: UInt16, last: UInt16) -> TransportError? {
        switch code {
        case TOX_ERR_NEW_OK: nil
        case TOX_ERR_NEW_PORT_ALLOC: .noFreePort(first: first, last: last)
        case TOX_ERR_NEW_LOAD_ENCRYPTED: .damagedSavedata(reason: "it is encrypted with a password")
        case TOX_ERR_NEW_LOAD_BAD_FORMAT: .damagedSavedata(reason: "toxcore could not read all of it")
        case TOX_ERR_NEW_MALLOC: .failed(reason: "out of memory, or no socket could be opened")
        case TOX_ERR_NEW_PROXY_BAD_TYPE, TOX_ERR_NEW_PROXY_BAD_HOST, TOX_ERR_NEW_PROXY_BAD_PORT,
            TOX_ERR_NEW_PROXY_NOT_FOUND:
            .invalidConfiguration(reason: "proxy (\(code.rawValue))")
        default: .failed(reason: "tox_new: \(code.rawValue)")
        }
    }

    /// Why a friend was not added; nil for success.
    static func friendAdd(_ code: Tox_Err_Friend_Add) -> String? {
        switch code {
        case TOX_ERR_FRIEND_ADD_OK: nil
        case TOX_ERR_FRIEND_ADD_TOO_LONG: "the request is too long"
        case TOX_ERR_FRIEND_ADD_NO_MESSAGE: "the request is empty"
        case TOX_ERR_FRIEND_ADD_OWN_KEY: "that is our own address"
        case TOX_ERR_FRIEND_ADD_ALREADY_SENT, TOX_ERR_FRIEND_ADD_SET_NEW_NOSPAM: "already a friend"
        case TOX_ERR_FRIEND_ADD_BAD_CHECKSUM: "the address's checksum does not match"
        case TOX_ERR_FRIEND_ADD_MALLOC: "out of memory"
        default: "tox_friend_add: \(code.rawValue)"
        }
    }

    /// What became of a text that toxcore did not take.
    static func text(_ code: Tox_Err_Friend_Send_Message) -> TextFailure? {
        switch code {
        case TOX_ERR_FRIEND_SEND_MESSAGE_FRIEND_NOT_FOUND: .unknownFriend
        case TOX_ERR_FRIEND_SEND_MESSAGE_FRIEND_NOT_CONNECTED: .notReachable
        case TOX_ERR_FRIEND_SEND_MESSAGE_SENDQ: .queueFull
        case TOX_ERR_FRIEND_SEND_MESSAGE_TOO_LONG: .tooLong
        default: nil
        }
    }

    /// Why our own name or status message was not set; nil for success.
    static func profile(_ code: Tox_Err_Set_Info) -> String? {
        switch code {
        case TOX_ERR_SET_INFO_OK: nil
        case TOX_ERR_SET_INFO_TOO_LONG: "too long"
        default: "toxcore refused it: \(code.rawValue)"
        }
    }

    /// The paths behind a connection status.
    static func paths(_ connection: Tox_Connection) -> Paths {
        switch connection {
        case TOX_CONNECTION_UDP: .udpDirect
        case TOX_CONNECTION_TCP: .tcpRelay
        default: []
        }
    }

    /// The own reachability behind a connection status.
    static func reachability(_ connection: Tox_Connection) -> SelfReachability {
        switch connection {
        case TOX_CONNECTION_UDP: .udp
        case TOX_CONNECTION_TCP: .tcp
        default: .offline
        }
    }

    /// A friend's availability; what toxcore does not know is available.
    static func availability(_ status: Tox_User_Status) -> Availability {
        switch status {
        case TOX_USER_STATUS_AWAY: .away
        case TOX_USER_STATUS_BUSY: .busy
        default: .available
        }
    }

    /// toxcore's word for an availability.
    static func status(_ availability: Availability) -> Tox_User_Status {
        switch availability {
        case .available: TOX_USER_STATUS_NONE
        case .away: TOX_USER_STATUS_AWAY
        case .busy: TOX_USER_STATUS_BUSY
        }
    }
}
