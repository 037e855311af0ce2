// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

extension Revue {
    /// What an instance starts with. Read once, by `initialize(_:)`.
    public nonisolated struct Configuration: Sendable, Equatable {
        /// File name of the saved identity; nil = `revue.bin`. A plain name: not empty, no `/`, no `..`.
        public var savedataFileName: String?
        /// Password that encrypts the saved identity; nil = not encrypted.
        public var savedataPassword: String?
        /// Nodes to join the network through. There is no built-in list.
        public var bootstrapNodes: [BootstrapNode]
        /// Transports, ports and path switching.
        public var networkOptions: NetworkOptions
        /// The bytes of the licence file. Required.
        public var licenseData: Data?
        /// Presence through a broker; nil = presence over the friend connection, without a broker.
        public var mqttOptions: MqttOptions?

        /// A configuration. Its values are checked by `initialize(_:)`.
        public init(
            savedataFileName: String? = nil, savedataPassword: String? = nil, bootstrapNodes: [BootstrapNode],
            networkOptions: NetworkOptions = .default, licenseData: Data? = nil, mqttOptions: MqttOptions? = nil
        ) {
            self.savedataFileName = savedataFileName
            self.savedataPassword = savedataPassword
            self.bootstrapNodes = bootstrapNodes
            self.networkOptions = networkOptions
            self.licenseData = licenseData
            self.mqttOptions = mqttOptions
        }

        /// The defaults. Set `bootstrapNodes` and `licenseData` before use.
        public static var `default`: Configuration { Configuration(bootstrapNodes: []) }
    }

    /// A node that helps to join the network.
    public nonisolated struct BootstrapNode: Sendable, Hashable {
        /// Host name or address.
        public let address: String
        /// The port that is joined through, 1…65,535.
        public let port: Int32
        /// The node's public key, 64 hexadecimal digits.
        public let publicKey: String
        /// The node's TCP relay port; nil = not used as a TCP relay.
        public let tcpRelayPort: Int32?
        /// The node's UDP relay port; nil = not used as a UDP relay.
        public let udpRelayPort: Int32?

        /// A node. Its values are checked by `initialize(_:)`.
        public init(
            address: String, port: Int32 = 33445, publicKey: String, tcpRelayPort: Int32? = nil,
            udpRelayPort: Int32? = nil
        ) {
            self.address = address
            self.port = port
            self.publicKey = publicKey
            self.tcpRelayPort = tcpRelayPort
            self.udpRelayPort = udpRelayPort
        }
    }

    /// What `destroy(_:)` deletes from the disk once everything has stopped. A failure to delete is logged, not thrown.
    public nonisolated struct DestroyOptions: Sendable, Hashable {
        /// The identity that this run used, and the files that belong to it. The mark that keeps a turned-back clock
        /// from reviving a licence stays.
        public var deleteSavedata: Bool
        /// Every recording.
        public var deleteRecordings: Bool

        /// Options; without arguments nothing is deleted.
        public init(deleteSavedata: Bool = false, deleteRecordings: Bool = false) {
            self.deleteSavedata = deleteSavedata
            self.deleteRecordings = deleteRecordings
        }

        /// Nothing is deleted.
        public static var `default`: DestroyOptions { DestroyOptions() }
        /// Identity and recordings are deleted.
        public static var deleteAllData: DestroyOptions {
            DestroyOptions(deleteSavedata: true, deleteRecordings: true)
        }
    }
}

extension Revue.DestroyOptions {
    /// What either asks for: concurrent calls of `destroy(_:)` share one run.
    func union(_ other: Self) -> Self {
        Self(
            deleteSavedata: deleteSavedata || other.deleteSavedata,
            deleteRecordings: deleteRecordings || other.deleteRecordings)
    }
}
