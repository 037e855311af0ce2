// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts

extension ToxSession {
    /// Points toxcore's callbacks at this file. They run inside `tox_iterate`, on the transport's thread.
    func registerCallbacks(_ tox: OpaquePointer) {
        tox_callback_self_connection_status(tox, selfConnectionChanged)
        tox_callback_friend_request(tox, friendRequestArrived)
        tox_callback_friend_connection_status(tox, friendConnectionChanged)
        tox_callback_friend_name(tox, friendNameChanged)
        tox_callback_friend_status_message(tox, friendStatusMessageChanged)
        tox_callback_friend_status(tox, friendStatusChanged)
        tox_callback_friend_message(tox, friendMessageArrived)
        tox_callback_friend_read_receipt(tox, friendReceiptArrived)
        tox_callback_friend_lossy_packet(tox, friendPacketArrived)
    }

    fileprivate func changed(_ connection: Tox_Connection) {
        let new = ErrorMapping.reachability(connection)
        if new == reachability { return }
        reachability = new
        let now = ToxClock.now
        bootstrap.reachabilityChanged(isOnline: new != .offline, at: now, timing: timing)
        if new != .offline { saving.nodesKnown(at: now, timing: timing) }
        report(.selfReachability(new))
    }

    fileprivate func changed(_ connection: Tox_Connection, of number: UInt32) {
        guard let peer = peers[number] else { return }
        setPaths(ErrorMapping.paths(connection), of: peer, number: number)
    }

    fileprivate func changedProfile(of number: UInt32, _ event: (PeerID) -> TransportEvent) {
        guard let peer = peers[number] else { return }
        saving.profileChanged(at: ToxClock.now, timing: timing)
        report(event(peer))
    }

    fileprivate func arrived(_ text: String, from number: UInt32) {
        guard let peer = peers[number] else { return }
        if text.isEmpty {
            count { $0.emptyTexts += 1 }
        } else {
            report(.text(peer, text))
        }
    }

    fileprivate func delivered(_ message: UInt32, by number: UInt32) {
        guard let token = receipts.removeValue(forKey: ReceiptKey(friend: number, message: message)) else { return }
        report(.textDelivered(token: token))
    }

    fileprivate func arrived(_ packet: UnsafeBufferPointer<UInt8>, from number: UInt32) {
        // The first byte is the packet id, ours or another application's.
        guard packet.count >= 2, packet[0] == DatagramQueue.packetID, packet.count <= DatagramQueue.datagramBytes + 1,
            packet[1] == 0x52 || 128...191 ~= packet[1], let peer = peers[number]
        else {
            count { $0.unknownStarts += 1 }
            return
        }
        if mailbox.isStopped { return }
        lastDatagram = ToxClock.now
        count { $0.datagramsReceived += 1 }
        delegate.transport(
            didReceive: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(packet)[1...]), from: peer)
    }
}

// MARK: Thunks

private func session(_ userData: UnsafeMutableRawPointer?) -> ToxSession? {
    userData.map { Unmanaged<ToxSession>.fromOpaque($0).takeUnretainedValue() }
}

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
}

private func selfConnectionChanged(
    _: OpaquePointer?, _ connection: Tox_Connection, _ userData: UnsafeMutableRawPointer?
) {
    session(userData)?.changed(connection)
}

private func friendRequestArrived(
    _: OpaquePointer?, _ key: UnsafePointer<UInt8>?, _ text: UnsafePointer<UInt8>?, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) {
    guard let key, let peer = PeerID(bytes: bytes(key, PeerID.byteCount)) else { return }
    session(userData)?.report(.friendRequest(peer, message: PeerText.repaired(bytes(text, count))))
}

private func friendConnectionChanged(
    _: OpaquePointer?, _ number: UInt32, _ connection: Tox_Connection, _ userData: UnsafeMutableRawPointer?
) {
    session(userData)?.changed(connection, of: number)
}

private func friendNameChanged(
    _: OpaquePointer?, _ number: UInt32, _ text: UnsafePointer<UInt8>?, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) {
    let name = PeerText.repaired(bytes(text, count), limit: ToxLimits.name)
    session(userData)?.changedProfile(of: number) { .name($0, name) }
}

private func friendStatusMessageChanged(
    _: OpaquePointer?, _ number: UInt32, _ text: UnsafePointer<UInt8>?, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) {
    let message = PeerText.repaired(bytes(text, count), limit: ToxLimits.statusMessage)
    session(userData)?.changedProfile(of: number) { .statusMessage($0, message) }
}

private func friendStatusChanged(
    _: OpaquePointer?, _ number: UInt32, _ status: Tox_User_Status, _ userData: UnsafeMutableRawPointer?
) {
    let availability = ErrorMapping.availability(status)
    session(userData)?.changedProfile(of: number) { .availability($0, availability) }
}

private func friendMessageArrived(
    _: OpaquePointer?, _ number: UInt32, _: Tox_Message_Type, _ text: UnsafePointer<UInt8>?, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) {
    session(userData)?.arrived(PeerText.repaired(bytes(text, count)), from: number)
}

private func friendReceiptArrived(
    _: OpaquePointer?, _ number: UInt32, _ message: UInt32, _ userData: UnsafeMutableRawPointer?
) {
    session(userData)?.delivered(message, by: number)
}

private func friendPacketArrived(
    _: OpaquePointer?, _ number: UInt32, _ packet: UnsafePointer<UInt8>?, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) {
    session(userData)?.arrived(bytes(packet, count), from: number)
}
