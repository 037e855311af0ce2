// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueSDK

@MainActor final class Phone: RevueDelegate, RoomDelegate {
    let picture = LocalVideoTrack.createBufferTrack(name: "hello", source: .camera)

    func revue(_ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths) {
        if paths.isOnline { try? revue.friends.sendInvitation(friendId: friendId, message: "video") }
    }
    func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) {
        try? revue.friends.addFriendNorequest(friendId: friendId)
    }
    func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {
        try? revue.friends.acceptInvitation(friendId: friendId)
    }
    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {
        Task {
            try await picture.capturer?.startCapture()
            _ = try await room.localParticipant.publish(videoTrack: picture, to: participant)
        }
    }
}

@main struct Hello {
    @MainActor static func main() throws {
        let license = try Data(contentsOf: URL(fileURLWithPath: "revue.lic"))
        let node = Revue.BootstrapNode(address: "192.0.2.1", publicKey: "…64 hexadecimal digits…", tcpRelayPort: 33445)
        try Revue.shared.initialize(.init(bootstrapNodes: [node], licenseData: license))
        let phone = Phone()
        Revue.shared.delegates.add(delegate: phone)
        Room.shared.delegates.add(delegate: phone)
        print("I am", Revue.shared.revueAddress)
        if CommandLine.arguments.count > 1 { try Revue.shared.friends.addFriend(address: CommandLine.arguments[1]) }

        // Delegates are called on the main thread: a program without an event loop of its own must run the main run loop.
        RunLoop.main.run()
    }
}
