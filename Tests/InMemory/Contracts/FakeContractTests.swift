// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueContracts
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Virtual time for a contract.
private func virtualTime(_ scheduler: VirtualScheduler = VirtualScheduler(seed: 3)) -> ContractTime {
    ContractTime(scheduler) { try await scheduler.advance(by: $0) }
}

/// The fakes keep what the real adapters must keep: else a green test with them would prove nothing.
@Suite struct FakeContractTests {
    static let scheduler = SchedulerContract { virtualTime() }
    @Test(arguments: scheduler.promises)
    func `the virtual scheduler`(keeps promise: Promise) async throws { try await promise.check() }

    static let transport = TransportContract {
        let scheduler = VirtualScheduler(seed: 3)
        let network = SimulatedNetwork(scheduler: scheduler, conditions: LinkConditions(delay: .milliseconds(20)))
        return TransportContract.Lab(time: virtualTime(scheduler)) { network.makeTransport($0) }
    }
    @Test(arguments: transport.promises)
    func `the in-memory transport`(keeps promise: Promise) async throws { try await promise.check() }

    static let lossyTransport = TransportContract {
        let scheduler = VirtualScheduler(seed: 4)
        let conditions = LinkConditions(
            delay: .milliseconds(30), jitter: .milliseconds(10), lossPercent: 20, reorderingPercent: 5,
            duplicationPercent: 2)
        let network = SimulatedNetwork(scheduler: scheduler, seed: 4, conditions: conditions)
        return TransportContract.Lab(time: virtualTime(scheduler)) { network.makeTransport($0) }
    }
    @Test(arguments: lossyTransport.promises)
    func `the in-memory transport on a bad link`(keeps promise: Promise) async throws { try await promise.check() }

    static let video = VideoCodecContract(codec: .vp8) { FakeVideoCodecFactory() }
    @Test(arguments: video.promises)
    func `the fake video codec`(keeps promise: Promise) async throws { try await promise.check() }

    static let audio = AudioCodecContract { FakeAudioCodecFactory() }
    @Test(arguments: audio.promises)
    func `the fake audio codec`(keeps promise: Promise) async throws { try await promise.check() }

    static let pixels = PixelConverterContract { PassthroughPixelConverter() }
    @Test(arguments: pixels.promises)
    func `the plain pixel converter`(keeps promise: Promise) async throws { try await promise.check() }

    static let videoSource = CapturerContract<FakeVideoSource>.video(
        request: VideoCaptureRequest(width: 64, height: 48, frameRate: 15)
    ) {
        let scheduler = VirtualScheduler()
        return (FakeVideoSource(scheduler: scheduler), virtualTime(scheduler))
    }
    @Test(arguments: videoSource.promises)
    func `the fake video source`(keeps promise: Promise) async throws { try await promise.check() }

    static let audioSource = CapturerContract<FakeAudioSource>.audio {
        let scheduler = VirtualScheduler()
        return (FakeAudioSource(scheduler: scheduler), virtualTime(scheduler))
    }
    @Test(arguments: audioSource.promises)
    func `the fake audio source`(keeps promise: Promise) async throws { try await promise.check() }

    static let sink = AudioSinkContract {
        let scheduler = VirtualScheduler()
        return (RecordingAudioSink(scheduler: scheduler), virtualTime(scheduler))
    }
    @Test(arguments: sink.promises)
    func `the recording loudspeaker`(keeps promise: Promise) async throws { try await promise.check() }

    static let cipher = SavedataCipherContract { FakeSavedataCipher() }
    @Test(arguments: cipher.promises)
    func `the fake cipher`(keeps promise: Promise) async throws { try await promise.check() }

    static let broker = PresenceBrokerContract {
        let scheduler = VirtualScheduler()
        let hub = InMemoryPresenceHub(scheduler: scheduler)
        return PresenceBrokerContract.Lab(time: virtualTime(scheduler), url: "tcp://hub") {
            InMemoryPresenceBroker(hub: hub)
        }
    }
    @Test(arguments: broker.promises)
    func `the in-memory broker`(keeps promise: Promise) async throws { try await promise.check() }

    static let store = IdentityStoreContract {
        let disk = InMemoryDisk()
        return { InMemoryIdentityStore(disk: disk) }
    }
    @Test(arguments: store.promises)
    func `the in-memory identity store`(keeps promise: Promise) async throws { try await promise.check() }

    static let license = License(holder: "Dr. Æ", notBefore: 5, notAfter: 1_000)
    static let verifier = LicenseVerifierContract(genuine: FakeLicenseVerifier.issue(license), says: license) {
        FakeLicenseVerifier()
    }
    @Test(arguments: verifier.promises)
    func `the fake licence verifier`(keeps promise: Promise) async throws { try await promise.check() }

    static let writer = MediaWriterContract {
        let writer = InMemoryMediaWriter()
        let frames = (0..<3).map { number in
            EncodedVideoFrame(
                codec: .vp8, bytes: [1, 2, 3], isKeyframe: number == 0, width: 16, height: 16, captureTime: .zero)
        }
        return MediaWriterContract.Subject(
            writer: writer, video: frames, audio: [[1], [2], [3]], exists: { writer.recording != nil })
    }
    @Test(arguments: writer.promises)
    func `the in-memory media writer`(keeps promise: Promise) async throws { try await promise.check() }
}
