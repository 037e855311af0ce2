// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

// Uses of the documented API as an integrator writes them: no `@testable`, every default left out.

import Foundation
import RevueCore
import Testing

struct ValueUses {
    @Test func `options are made with every argument or none`() {
        let full = VideoPublishOptions(
            codec: .vp8(
                Vp8Encoding(
                    maxBitrate: 1, cpuUsed: 0, quantizerMin: 0, quantizerMax: 1, keyframeInterval: 1,
                    rateControlMode: .cbr, cqLevel: 0, temporalLayers: 1)),
            maxFps: 30, degradationPreference: .disabled)
        #expect(full.codec.type == .vp8)
        #expect(VideoPublishOptions().codec.type == .vp8)
        #expect(VideoPublishOptions(codec: .h264Default).codec == .h264(H264Encoding()))
        #expect(AudioPublishOptions().encoding == nil)
        #expect(AudioPublishOptions(encoding: .presetMusic).encoding?.maxBitrate == 128_000)
        let byCodec: [VideoCodecType: Int] = [.vp8: 1, .h264: 2]
        #expect(byCodec[full.codec.type] == 1)
    }

    @Test func `camera options are copied with what differs, and a camera can be cleared`() {
        let camera = AVCaptureDevice(uniqueID: "video0", localizedName: "Webcam")
        let options = CameraCaptureOptions()
        #expect(options.dimensions == .h720_169 && options.fps == 30 && options.position == .front)
        #expect(options.device == nil && options.autoCorrectOrientation && !options.isMirrored)
        let changed = options.copyWith(fps: 15, position: .back, device: camera, isMirrored: true)
        #expect(changed.dimensions == .h720_169 && changed.fps == 15 && changed.position == .back)
        #expect(changed.copyWith(dimensions: .h480_43).device == camera)
        #expect(changed.copyWith(device: .some(nil)).device == nil)
        let size = CameraCaptureOptions.Dimensions(width: 100, height: 50)
        #expect(changed.copyWith(dimensions: size, autoCorrectOrientation: false).dimensions == size)
    }

    @Test(
        arguments: [
            (.h90_169, 160, 90), (.h180_169, 320, 180), (.h216_169, 384, 216), (.h360_169, 640, 360),
            (.h540_169, 960, 540), (.h720_169, 1_280, 720), (.h1080_169, 1_920, 1_080), (.h1440_169, 2_560, 1_440),
            (.h2160_169, 3_840, 2_160), (.h120_43, 160, 120), (.h180_43, 240, 180), (.h240_43, 320, 240),
            (.h360_43, 480, 360), (.h480_43, 640, 480), (.h540_43, 720, 540), (.h720_43, 960, 720),
            (.h1080_43, 1_440, 1_080), (.h1440_43, 1_920, 1_440),
        ] as [(CameraCaptureOptions.Dimensions, Int32, Int32)])
    func `a preset's name is its height and its shape`(
        _ size: CameraCaptureOptions.Dimensions, _ width: Int32, _ height: Int32
    ) {
        #expect(size.width == width && size.height == height)
    }

    @Test func `a configuration is made with its two required values`() {
        let node = Revue.BootstrapNode(address: "192.0.2.1", publicKey: "00")
        var configuration = Revue.Configuration(bootstrapNodes: [node], licenseData: Data([1]))
        configuration.networkOptions.enableUdpRelay = false
        configuration.mqttOptions = .deferred
        #expect(configuration.networkOptions != .default)
        #expect(Revue.Configuration.default.bootstrapNodes.isEmpty)
        #expect(Revue.DestroyOptions.deleteAllData.deleteSavedata)
    }

    @Test func `raw values are read and made`() {
        #expect(RevueLogLevel(rawValue: Int32(3)) == .warning)
        #expect(UserStatus(rawValue: Int32(2)) == .busy)
        #expect(SelfConnectionStatus(rawValue: 2) == .udp)
        #expect(ConnectionQuality(rawValue: 0) == .unknown)
        #expect(DegradationPreference(rawValue: "balanced") == .balanced)
        #expect(FrameMediaType(rawValue: UInt32(1)) == .video)
        #expect(PresenceConnectionState(rawValue: Int32(0)) == .notInitialized)
        #expect(CaptureState(rawValue: 0) == .idle)
        #expect(Track.Kind(rawValue: 1) == .video)
        #expect(Track.Source(rawValue: "camera") == .camera)
        #expect(Track.TrackState(rawValue: 1) == .started)
        #expect(FriendConnectionPaths([.udpDirect, .tcpRelay]).contains(.tcpRelay))
        #expect(RcMode(rawValue: "cq") == .cq)
    }

    @Test func `errors are caught by case`() {
        func fail() throws { throw RoomError.invalidParameter(name: "maxFps", reason: "must be 1 to 60") }
        do {
            try fail()
            Issue.record("nothing was thrown")
        } catch RoomError.invalidParameter(let name, let reason) {
            #expect("\(name) \(reason)" == "maxFps must be 1 to 60")
        } catch {
            Issue.record("\(error)")
        }
        let message = RoomMessageError.transportFailed(underlying: .timeout(messageId: 3))
        guard case .transportFailed(let underlying) = message, case .timeout(let id) = underlying else {
            Issue.record("\(message)")
            return
        }
        #expect(id == 3)
    }

    @Test func `a log entry is made with three values`() {
        let entry = RevueLogEntry(level: .warning, source: "mine", message: "text")
        #expect(entry.level >= .warning)
        #expect(entry.file == nil && entry.line == nil && entry.function == nil)
    }
}
