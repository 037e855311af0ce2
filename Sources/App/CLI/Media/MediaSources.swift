// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueFFmpeg
import RevuePorts
import RevueTestPattern

/// What stands for camera and microphone, made ready.
struct MediaSources {
    var camera: (any VideoSource)?
    var microphone: (any AudioSource)?

    /// - Throws: a failure that names the file that cannot be used.
    init(_ choice: MediaChoice, scheduler: any Scheduler) throws(CommandFailure) {
        var clips: (picture: String?, sound: String?) = (nil, nil)
        switch choice.picture {
        case .clip(let path): clips.picture = path
        case .pattern: camera = TestPatternSource(scheduler: scheduler)
        case .none: break
        }
        switch choice.sound {
        case .file(let path): clips.sound = path
        case .tone: microphone = ToneSource(scheduler: scheduler)
        case .none: break
        }
        guard clips.picture != nil || clips.sound != nil else { return }
        do {
            // One source for both files, so that their times have one origin.
            let clip = try ClipSource(video: clips.picture, audio: clips.sound, now: { scheduler.now })
            if clips.picture != nil { camera = clip.video }
            if clips.sound != nil { microphone = clip.audio }
        } catch {
            throw CommandFailure(.failed, MediaSources.advice(for: error))
        }
    }

    private static func advice(for error: CaptureError) -> String {
        switch error {
        case .notFound(let name): "there is no file '\(name)'"
        case .denied(let name): "'\(name)' may not be read"
        case .unreadable(let name, let reason): "'\(name)' cannot be used: \(reason)"
        }
    }
}
