// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueSDK

@MainActor func answerEverybody() async throws {
    let license = try Data(contentsOf: URL(fileURLWithPath: "Fixtures/development.lic"))
    try Revue.shared.initialize(.init(bootstrapNodes: [], licenseData: license))
    print("Others add me by", Revue.shared.revueAddress)
    for await event in Revue.shared.events {
        switch event {
        case .friendRequestReceived(let friend, _): try Revue.shared.friends.addFriendNorequest(friendId: friend)
        case .invitationReceived(let friend, _): try Revue.shared.friends.acceptInvitation(friendId: friend)
        default: print(event)
        }
    }
}

func makePicture() -> CVPixelBuffer? {
    var picture: CVPixelBuffer?
    guard
        CVPixelBufferCreate(kCFAllocatorDefault, 640, 360, kCVPixelFormatType_32BGRA, nil, &picture)
            == kCVReturnSuccess,
        let picture, let pixels = CVPixelBufferGetBaseAddress(picture)
    else { return nil }
    pixels.initializeMemory(as: UInt8.self, repeating: 128, count: CVPixelBufferGetDataSize(picture))
    return picture
}
