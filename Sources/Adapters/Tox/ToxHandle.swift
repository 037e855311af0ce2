// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts

/// One toxcore instance: the owner of its C handle. Used by one thread at a time.
final class ToxHandle {
    /// What an instance is made with.
    struct Settings {
        var udpEnabled = true
        var ipv6Enabled = false
        var localDiscoveryEnabled = false
        var ports: ClosedRange<UInt16> = ToxHandle.defaultPorts
        /// 0 = no relay server.
        var tcpServerPort: UInt16 = 0
    }

    /// The ports that every Tox client tries first.
    static let defaultPorts: ClosedRange<UInt16> = 33_445...33_545

    let pointer: OpaquePointer

    /// Makes an instance; with a payload it is that identity, whole, or an error.
    init(_ settings: Settings, savedata: [UInt8]?) throws(TransportError) {
        guard let options = tox_options_new(nil) else { throw .failed(reason: "out of memory") }
        defer { tox_options_free(options) }
        tox_options_set_udp_enabled(options, settings.udpEnabled)
        tox_options_set_ipv6_enabled(options, settings.ipv6Enabled)
        tox_options_set_local_discovery_enabled(options, settings.localDiscoveryEnabled && settings.udpEnabled)
        tox_options_set_hole_punching_enabled(options, true)
        tox_options_set_start_port(options, settings.ports.lowerBound)
        tox_options_set_end_port(options, settings.ports.upperBound)
        tox_options_set_tcp_port(options, settings.tcpServerPort)

        var code = TOX_ERR_NEW_OK
        let made: OpaquePointer? = (savedata ?? []).withUnsafeBufferPointer { bytes in
            if savedata != nil {
                tox_options_set_savedata_type(options, TOX_SAVEDATA_TYPE_TOX_SAVE)
                tox_options_set_savedata_data(options, bytes.baseAddress, bytes.count)
            }
            return tox_new(options, &code)
        }
        let error = ErrorMapping.creation(code, first: settings.ports.lowerBound, last: settings.ports.upperBound)
        if let error {
            // toxcore 0.2.18 returns an instance with an identity of its own beside a load error.
            tox_kill(made)
            throw error
        }
        guard let made else { throw .failed(reason: "tox_new returned nothing") }
        pointer = made
    }

    deinit { tox_kill(pointer) }

    var publicKey: PeerID? { key { tox_self_get_public_key(pointer, $0) } }

    /// The key under which this instance can be a bootstrap node or relay: a new one for every instance.
    var dhtKey: PeerID? { key { tox_self_get_dht_id(pointer, $0) } }

    var address: FriendAddress? {
        guard let publicKey else { return nil }
        return FriendAddress(peer: publicKey, nospam: tox_self_get_nospam(pointer))
    }

    /// The UDP port it is bound to; nil without UDP.
    var udpPort: UInt16? {
        var code = TOX_ERR_GET_PORT_OK
        let port = tox_self_get_udp_port(pointer, &code)
        return code == TOX_ERR_GET_PORT_OK ? port : nil
    }

    var friendCount: Int { tox_self_get_friend_list_size(pointer) }

    /// Numbers and keys of every friend, in toxcore's order.
    var friends: [(number: UInt32, peer: PeerID)] {
        var numbers = [UInt32](repeating: 0, count: friendCount)
        tox_self_get_friend_list(pointer, &numbers)
        return numbers.compactMap { number in
            key { _ = tox_friend_get_public_key(pointer, number, $0, nil) }.map { (number, $0) }
        }
    }

    var ownProfile: Profile {
        Profile(
            name: text(tox_self_get_name_size(pointer), limit: ToxLimits.name) { tox_self_get_name(pointer, $0) },
            statusMessage: text(tox_self_get_status_message_size(pointer), limit: ToxLimits.statusMessage) {
                tox_self_get_status_message(pointer, $0)
            },
            availability: ErrorMapping.availability(tox_self_get_status(pointer)))
    }

    func profile(of number: UInt32) -> Profile {
        Profile(
            name: text(tox_friend_get_name_size(pointer, number, nil), limit: ToxLimits.name) {
                _ = tox_friend_get_name(pointer, number, $0, nil)
            },
            statusMessage: text(
                tox_friend_get_status_message_size(pointer, number, nil), limit: ToxLimits.statusMessage
            ) {
                _ = tox_friend_get_status_message(pointer, number, $0, nil)
            },
            availability: ErrorMapping.availability(tox_friend_get_status(pointer, number, nil)))
    }

    /// What toxcore must be given to be this identity again.
    var payload: [UInt8] {
        let count = tox_get_savedata_size(pointer)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            tox_get_savedata(pointer, buffer.baseAddress)
            initialized = count
        }
    }

    /// The payload in our envelope.
    var savedata: [UInt8] {
        guard let publicKey else { return [] }
        return SavedataEnvelope(publicKey: publicKey, friendCount: friendCount, payload: payload).bytes
    }

    private func key(_ read: (UnsafeMutablePointer<UInt8>) -> Void) -> PeerID? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PeerID.byteCount) { buffer in
            buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress else { return nil }
            read(start)
            return PeerID(bytes: buffer)
        }
    }

    private func text(_ count: Int, limit: Int, _ read: (UnsafeMutablePointer<UInt8>) -> Void) -> String {
        // A size query that fails returns SIZE_MAX.
        guard 1...limit ~= count else { return "" }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            buffer.initialize(repeating: 0)
            if let start = buffer.baseAddress { read(start) }
            return PeerText.repaired(UnsafeBufferPointer(buffer), limit: limit)
        }
    }
}

/// toxcore's sizes in bytes.
enum ToxLimits {
    static let name = 128
    static let statusMessage = 1_007
    /// toxcore's header says 1,016, but it silently drops requests above about 940; later versions allow 921.
    static let request = 921
    static let text = 1_372
}
