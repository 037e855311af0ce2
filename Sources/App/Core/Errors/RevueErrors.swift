// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

/// Why `Revue.initialize(_:)` failed. Nothing runs after it.
public enum RevueInitError: LocalizedError, Sendable, Equatable {
    /// A value of the configuration is malformed or out of range (codes -1 and -2).
    case invalidConfiguration
    /// There are no licence bytes (code -22).
    case licenseMissing
    /// The bytes are no licence file (code -23).
    case licenseMalformed
    /// The licence's signature does not fit (code -24).
    case licenseInvalid
    /// The licence is genuine but over (code -25).
    case licenseExpired
    /// A grace period is neither 0 nor at least 15,000 ms (code -27).
    case gracePeriodTooShort
    /// The transports that are left cannot work: none at all, or `switchA` without a relay (code -32).
    case invalidTransportConfig
    /// An instance runs already, or `destroy` has not returned yet.
    case waitingForDestroy
    /// Anything else; `docs/errors.md` lists the codes.
    case initFailed(code: Int32)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .invalidConfiguration:
            "A configuration value is invalid: check file name, nodes, public keys, ports and broker settings."
        case .licenseMissing: "There is no licence: pass the bytes of your licence file as licenseData."
        case .licenseMalformed: "The licence is not readable: pass the licence file unchanged."
        case .licenseInvalid: "The licence is not genuine: pass the file that was issued to you."
        case .licenseExpired: "The licence has expired: get a new one."
        case .gracePeriodTooShort: "A grace period is too short: use 0 for the default, or at least 15000 ms."
        case .invalidTransportConfig:
            "The transports cannot work: enable at least one, and a relay when switchAEnabled is true."
        case .waitingForDestroy: "The SDK still runs: await destroy(), then initialize again."
        case .initFailed(let code):
            "The SDK did not start (code \(code)): check the save file, its password and the ports, then try again."
        }
    }
}

/// Why `Revue.startPresence(_:)` failed.
public enum RevuePresenceError: LocalizedError, Sendable, Equatable {
    /// The SDK does not run, or was destroyed before the call's turn came (codes -1 and -4).
    case notInitialized
    /// A setting is out of range or the broker's URL has a scheme that is not supported (code -2). What runs goes on.
    case invalidConfiguration
    /// The connection could not even be tried; presence is stopped.
    case startFailed(code: Int32)

    /// The error that a failure code stands for. Not meant for 0, which is success.
    public static func from(code: Int32) -> RevuePresenceError {
        switch code {
        case ErrorCode.missingValue, ErrorCode.notInitialized: .notInitialized
        case ErrorCode.invalidArgument: .invalidConfiguration
        default: .startFailed(code: code)
        }
    }

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .notInitialized: "The SDK is not running: call initialize(_:) first."
        case .invalidConfiguration:
            "The presence settings are invalid: use a tcp, ssl, tls, mqtts, ws or wss URL and a QoS of 0 to 2."
        case .startFailed(let code): "Presence did not start (code \(code)): check the broker's settings and try again."
        }
    }
}
