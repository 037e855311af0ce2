// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

extension Revue {
    /// How presence reaches its broker. `initialize(_:)` reads it once; `startPresence(_:)` takes others later.
    public nonisolated struct MqttOptions: Sendable, Hashable {
        /// The broker, as a `tcp`, `ssl`, `tls`, `mqtts`, `ws` or `wss` URL; nil = presence over the friend connection.
        public var brokerUrl: String?
        /// Account name; nil = none.
        public var username: String?
        /// Account password; nil = none.
        public var password: String?
        /// PEM file of the authorities that a TLS broker is checked against; nil = the system's.
        public var caCertPath: String?
        /// MQTT quality of service, 0…2.
        public var presenceQos: Int
        /// Whether `initialize(_:)` leaves presence off until `startPresence(_:)`; the other values are ignored then.
        public var deferStart: Bool

        /// Options. They are checked when presence starts.
        public init(
            brokerUrl: String? = nil, username: String? = nil, password: String? = nil, caCertPath: String? = nil,
            presenceQos: Int = 1, deferStart: Bool = false
        ) {
            self.brokerUrl = brokerUrl
            self.username = username
            self.password = password
            self.caCertPath = caCertPath
            self.presenceQos = presenceQos
            self.deferStart = deferStart
        }

        /// No presence yet: call `startPresence(_:)` once there is an account.
        public static var deferred: MqttOptions { MqttOptions(deferStart: true) }
    }
}

extension Revue.MqttOptions {
    static let schemes: Set<String> = ["tcp", "ssl", "tls", "mqtts", "ws", "wss"]

    /// Whether presence can start with these values; `deferStart` plays no part.
    var isValid: Bool {
        guard (0...2).contains(presenceQos) else { return false }
        guard let brokerUrl else { return true }
        guard let separator = brokerUrl.range(of: "://") else { return false }
        return Self.schemes.contains(brokerUrl[..<separator.lowerBound].lowercased())
            && !brokerUrl[separator.upperBound...].prefix(while: { $0 != "/" && $0 != ":" }).isEmpty
            && !brokerUrl.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    }
}
