// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueFFmpeg
import RevuePorts
import RevueSDK
import RevueTime

/// The media of one call: what stands for camera and microphone, what is measured and what is recorded.
@MainActor final class CallMedia {
    struct Settings {
        var choice: MediaChoice
        /// Draws number and time into every picture and marks into the sound, and reads the friend's.
        var isMeasured = false
        /// Where pictures are kept for a comparison.
        var pictures: URL?
        /// The file that what is received goes into.
        var recording: String?
    }

    let videoMeter: VideoMeter
    let audioMeter: AudioMeter
    let counters = StreamCounters()
    /// The adapters of the instance that this call runs on.
    let adapters: Adapters

    private let settings: Settings
    private let recorder: Recorder?
    private let sentPictures: PictureStore?
    private let receivedPictures: PictureStore?
    private var tracks: [Track] = []

    init(_ settings: Settings, on base: Adapters) throws {
        self.settings = settings
        let scheduler = base.scheduler
        recorder = settings.recording.map { Recorder(writer: WebMWriter(path: $0), scheduler: scheduler) }
        sentPictures = try settings.pictures.map {
            try PictureStore(folder: $0.appendingPathComponent("sent"), scheduler: scheduler)
        }
        receivedPictures = try settings.pictures.map {
            try PictureStore(folder: $0.appendingPathComponent("received"), scheduler: scheduler)
        }
        videoMeter = VideoMeter(scheduler: scheduler, readsStamps: settings.isMeasured, store: receivedPictures)
        audioMeter = AudioMeter(scheduler: scheduler, keepsSound: settings.isMeasured)
        let taps = CallMedia.taps(counters: counters, recorder: recorder)
        var adapters = base
        adapters.videoCodecs = base.videoCodecs.map { TappedVideoCodecs(base: $0, taps: taps, scheduler: scheduler) }
        adapters.audioCodecs = TappedAudioCodecs(base: base.audioCodecs, taps: taps)
        let sources = try MediaSources(settings.choice, scheduler: scheduler)
        let counters = counters
        if let source = sources.camera {
            let choice = settings.choice
            let camera = SizedCamera(
                base: source,
                request: VideoCaptureRequest(
                    width: choice.width, height: choice.height, frameRate: choice.frameRate))
            let measured = settings.isMeasured
            let store = sentPictures
            adapters.makeCamera = { () throws(CaptureError) in
                guard measured else { return camera }
                return StampingCamera(base: camera, counters: counters, store: store)
            }
        }
        if let microphone = sources.microphone {
            let measured = settings.isMeasured
            adapters.makeMicrophone = { () throws(CaptureError) in
                measured ? MarkingMicrophone(base: microphone) : microphone
            }
        }
        self.adapters = adapters
    }

    private static func taps(counters: StreamCounters, recorder: Recorder?) -> CodecTaps {
        CodecTaps(
            encodedVideo: { frame, duration in counters.encoded(frame, duration) },
            encodedAudio: { packet in counters.encoded(packet) },
            receivedVideo: { frame in
                counters.received(frame)
                recorder?.record(frame)
            },
            receivedAudio: { input, channels in
                counters.received(input)
                recorder?.record(input, channels: channels)
            })
    }

    /// Shows a track of the friend's to the meters.
    func subscribed(_ track: Track) {
        tracks.append(track)
        if let video = track as? RemoteVideoTrack { video.add(videoRenderer: videoMeter) }
        if let audio = track as? RemoteAudioTrack { audio.add(audioRenderer: audioMeter) }
    }

    /// Switches camera and microphone on and publishes them to the friend.
    func publish(to participant: RemoteParticipant, as local: LocalParticipant) async throws {
        if settings.choice.picture != .none {
            local.setCamera(enabled: true)
            try await local.publishCamera(to: participant, options: settings.choice.preset.publishOptions)
        }
        if settings.choice.sound != .none {
            local.setMicrophone(enabled: true)
            try await local.publishMicrophone(to: participant)
        }
    }

    /// Completes what is written to disk.
    func finish() throws {
        for track in tracks {
            (track as? RemoteVideoTrack)?.remove(videoRenderer: videoMeter)
            (track as? RemoteAudioTrack)?.remove(audioRenderer: audioMeter)
        }
        try sentPictures?.finish()
        try receivedPictures?.finish()
        do {
            try recorder?.finish()
        } catch {
            throw CommandFailure(.failed, "the recording is not complete: \(error)")
        }
    }

    /// The picture that is on the screen now, as a PNG file.
    func writeSnapshot(to path: String) throws {
        guard let picture = videoMeter.latest else { throw CommandFailure(.failed, "there is no picture to keep") }
        try StillImage.writePNG(picture, to: path)
    }
}
