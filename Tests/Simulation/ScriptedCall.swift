// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime

/// The call of the project's first demo, as a script in virtual time: friends, invitation, video and voice both ways, one
/// mutes for two seconds, both hang up. What came of it can be compared bit for bit.
@MainActor struct ScriptedCall {
    struct Outcome: Equatable {
        var events: [String]
        var pictures: Int
        var soundFrames: Int
        var digest: UInt64
    }

    /// Frames of two packets, so that much of virtual time passes quickly.
    static let options = VideoPublishOptions(codec: .vp8(Vp8Encoding(maxBitrate: 150_000)))

    let world: World

    init(seed: UInt64, lossPercent: Double) {
        world = World(
            seed: seed,
            conditions: LinkConditions(
                delay: .milliseconds(30), jitter: .milliseconds(3), lossPercent: lossPercent,
                reorderingPercent: lossPercent > 0 ? 2 : 0, duplicationPercent: lossPercent > 0 ? 1 : 0))
    }

    func run() async throws -> Outcome {
        let (a, b) = try await world.makeCall()
        let (atA, atB) = (try await publishAndWatch(b, at: a), try await publishAndWatch(a, at: b))
        try await world.scheduler.advance(by: .seconds(4))
        let camera = a.local?.cameraTrack
        _ = try await world.scheduler.drive { try await camera?.mute() }
        try await world.scheduler.advance(by: .seconds(2))
        _ = try await world.scheduler.drive { try await camera?.unmute() }
        try await world.scheduler.advance(by: .seconds(4))
        a.revue.room.disconnectAll()
        try await world.scheduler.run { !b.isConnected(to: a) }
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        _ = try await world.scheduler.drive { await b.revue.destroy() }
        return outcome(a, b, [atA, atB])
    }

    private struct Watch {
        var pictures: PictureProbe
        var sounds: SoundProbe
    }

    /// `sender` publishes camera and microphone; what arrives at `receiver` is watched.
    private func publishAndWatch(_ sender: Peer, at receiver: Peer) async throws -> Watch {
        let local = sender.local
        local?.setCamera(enabled: true)
        local?.setMicrophone(enabled: true)
        let recipient = sender.remote(receiver)
        _ = try await world.scheduler.drive {
            if let recipient { try await local?.publishCamera(to: recipient, options: Self.options) }
        }
        _ = try await world.scheduler.drive {
            if let recipient { try await local?.publishMicrophone(to: recipient) }
        }
        let watch = Watch(pictures: PictureProbe(world.scheduler), sounds: SoundProbe())
        let remote = receiver.remote(sender)
        remote?.firstCameraVideoTrack?.add(videoRenderer: watch.pictures)
        remote?.firstAudioTrack?.add(audioRenderer: watch.sounds)
        return watch
    }

    private func outcome(_ a: Peer, _ b: Peer, _ watches: [Watch]) -> Outcome {
        let events = (a.log.entries.map { ("a", $0) } + b.log.entries.map { ("b", $0) }).map {
            "\($0.1.at.nanoseconds) \($0.0) \($0.1.text)"
        }
        var digest = Digest()
        for event in events { digest.add(event) }
        for watch in watches {
            digest.add("\(watch.pictures.digest) \(watch.sounds.digest)")
        }
        return Outcome(
            events: events, pictures: watches.map(\.pictures.count).reduce(0, +),
            soundFrames: watches.map(\.sounds.frames).reduce(0, +), digest: digest.value)
    }
}
