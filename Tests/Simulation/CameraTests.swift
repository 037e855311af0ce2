// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// What the camera is asked for, and what it does when it cannot.
@MainActor struct CameraTests {
    /// A camera that takes every request up to 640×480, and remembers them.
    private final class PickyCamera: VideoSource {
        private let source: FakeVideoSource
        private let requests: Locked<[VideoCaptureRequest]>

        init(_ scheduler: any Scheduler, _ requests: Locked<[VideoCaptureRequest]>) {
            source = FakeVideoSource(scheduler: scheduler)
            self.requests = requests
        }

        func start(
            _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
        ) throws(CaptureError) {
            requests.withLock { $0.append(request) }
            guard request.height <= 480 else { throw .unreadable(name: "camera", reason: "too large") }
            try source.start(request, sink: sink)
        }

        func stop() { source.stop() }
    }

    private struct Setup {
        let world: World
        let peer: Peer
        let requests: Locked<[VideoCaptureRequest]>
        let local: LocalParticipant
        let capturer: CameraCapturer
        let probe: PictureProbe

        @MainActor init() throws {
            let (world, requests) = (World(), Locked<[VideoCaptureRequest]>([]))
            let scheduler = world.scheduler
            peer = world.makePeer("alice") { adapters in
                adapters.makeCamera = { () throws(CaptureError) in PickyCamera(scheduler, requests) }
            }
            try peer.start()
            local = try #require(peer.local)
            capturer = try #require(local.cameraTrack.capturer as? CameraCapturer)
            probe = PictureProbe(scheduler)
            local.cameraTrack.add(videoRenderer: probe)
            (self.world, self.requests) = (world, requests)
        }

        /// Pictures in a second, once the camera has settled.
        @MainActor func rate() async throws -> Int {
            try await world.scheduler.advance(by: .milliseconds(200))
            let begin = world.scheduler.now
            try await world.scheduler.advance(by: .seconds(1))
            return probe.count(since: begin)
        }
    }

    @Test func `the camera is asked for the size and rate of its options, and for new ones while it runs`() async throws
    {
        let setup = try Setup()
        let first = CameraCaptureOptions(dimensions: .h240_43, fps: 15)
        setup.local.setCamera(enabled: true, options: first)
        #expect(setup.capturer.options === first)
        #expect((14...16).contains(try await setup.rate()))
        #expect(setup.capturer.dimensions == CMVideoDimensions(width: 320, height: 240))
        setup.local.setCamera(enabled: true, options: first.copyWith(dimensions: .h480_43, fps: 30))
        #expect((29...31).contains(try await setup.rate()))
        #expect(setup.capturer.dimensions == CMVideoDimensions(width: 640, height: 480))
        #expect(setup.capturer.captureState == .capturing && setup.local.isCameraActive)
        setup.local.setCamera(enabled: false)
        #expect(try await setup.rate() == 0)
        setup.local.setCamera(enabled: true)
        #expect((29...31).contains(try await setup.rate()))
        #expect(setup.requests.withLock { $0.map(\.height) } == [240, 480, 480])
    }

    @Test(arguments: [
        CameraCaptureOptions.Dimensions.h1080_169, CameraCaptureOptions.Dimensions(width: 0, height: -1),
    ])
    func `options that cannot be had leave the camera with those that it had`(
        _ size: CameraCaptureOptions.Dimensions
    ) async throws {
        let setup = try Setup()
        let had = CameraCaptureOptions(dimensions: .h240_43)
        setup.local.setCamera(enabled: true, options: had)
        _ = try await setup.rate()
        setup.local.setCamera(enabled: true, options: had.copyWith(dimensions: size))
        #expect((29...31).contains(try await setup.rate()))
        #expect(setup.capturer.options === had && setup.local.isCameraActive)
        #expect(setup.capturer.dimensions == CMVideoDimensions(width: 320, height: 240))
    }

    @Test func `a camera that does not start is off again, and can be tried with other options`() async throws {
        let setup = try Setup()
        setup.local.setCamera(enabled: true)
        #expect(setup.local.isCameraActive)
        #expect(try await setup.rate() == 0)
        #expect(!setup.local.isCameraActive && setup.capturer.captureState == .idle)
        setup.local.setCamera(enabled: true, options: CameraCaptureOptions(dimensions: .h180_169))
        #expect((29...31).contains(try await setup.rate()))
        #expect(setup.local.isCameraActive)
    }

    @Test func `a mirrored camera shows everyone left and right exchanged`() async throws {
        let setup = try Setup()
        let keeper = PictureKeeper()
        setup.local.cameraTrack.add(videoRenderer: keeper)
        let options = CameraCaptureOptions(dimensions: .h90_169)
        setup.local.setCamera(enabled: true, options: options)
        try await setup.world.scheduler.advance(by: .milliseconds(50))
        let plain = try #require(keeper.rows)
        setup.local.setCamera(enabled: false)
        try await setup.world.scheduler.advance(by: .milliseconds(50))
        setup.local.setCamera(enabled: true, options: options.copyWith(isMirrored: true))
        try await setup.world.scheduler.advance(by: .milliseconds(50))
        let mirrored = try #require(keeper.rows)
        #expect(mirrored == plain.map { Array($0.reversed()) } && mirrored != plain)
    }
}

/// The luma of the first picture after each pause, row by row.
private final class PictureKeeper: VideoRenderer, Sendable {
    private let state = Locked<[[UInt8]]?>(nil)
    var rows: [[UInt8]]? {
        state.withLock { rows in
            defer { rows = nil }
            return rows
        }
    }

    func render(pixelBuffer: CVPixelBuffer) {
        let rows = pixelBuffer.withPlanes { planes in
            (0..<planes[0].height).map { Array(UnsafeBufferPointer(start: planes[0].row($0), count: planes[0].width)) }
        }
        state.withLock { if $0 == nil { $0 = rows } }
    }
}
