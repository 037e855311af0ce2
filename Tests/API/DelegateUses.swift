// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import Testing

/// A plain class with state of its own, as the guides write it.
final class PlainRoomDelegate: RoomDelegate {
    var onConnected: ((RemoteParticipant) -> Void)?
    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) { onConnected?(participant) }
}

/// A main-actor class.
@MainActor final class MainActorDelegate: RevueDelegate, ParticipantDelegate {
    var lines: [String] = []
    func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason) {
        lines.append("\(friendId) \(reason)")
    }
    func participant(_ participant: Participant, didUpdateIsSpeaking isSpeaking: Bool) { lines.append("speaks") }
}

/// Two requirements that differ in their value's type alone.
final class CapturerObserver: VideoCapturerDelegate {
    var sizes: [CMVideoDimensions?] = []
    var states: [CaptureState] = []
    func capturer(_ capturer: VideoCapturer, didUpdate dimensions: CMVideoDimensions?) { sizes.append(dimensions) }
    func capturer(_ capturer: VideoCapturer, didUpdate state: CaptureState) { states.append(state) }
}

final class Watermark: VideoProcessor, VideoRenderer, AudioRenderer {
    func process(pixelBuffer: CVPixelBuffer) -> CVPixelBuffer? { pixelBuffer }
    func render(pixelBuffer: CVPixelBuffer) {}
    func render(pcmBuffer: AVAudioPCMBuffer) {}
}

final class FixedAudio: AudioCapturer {
    private(set) var captureState = CaptureState.idle
    func startCapture() async throws { captureState = .capturing }
    func stopCapture() async throws { captureState = .idle }
}

@MainActor final class ShareModel: ObservableObject {
    @Published private(set) var isSharing = false
    private var subscription: AnyCancellable?
    init(_ publisher: AnyPublisher<Bool, Never>) {
        subscription = publisher.receive(on: DispatchQueue.main).sink { [weak self] in self?.isSharing = $0 }
    }
}

struct DelegateUses {
    @Test func `delegates of either kind are used through the protocol`() async throws {
        let room: any RoomDelegate = PlainRoomDelegate()
        #expect(room is PlainRoomDelegate)
        let capturer = FixedAudio()
        try await capturer.startCapture()
        #expect(capturer.captureState == .capturing)
    }

    @Test func `a processor may drop or return the picture`() {
        var picture: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, 2, 2, kCVPixelFormatType_32BGRA, nil, &picture) == kCVReturnSuccess)
        #expect(picture.flatMap { Watermark().process(pixelBuffer: $0) } === picture)
    }

    @Test @MainActor func `a model follows a publisher on main`() async {
        let subject = CurrentValueSubject<Bool, Never>(true)
        let model = ShareModel(subject.eraseToAnyPublisher())
        for await value in model.$isSharing.values where value { break }
        #expect(model.isSharing)
    }
}
