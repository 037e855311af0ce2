// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Writes what a friend sends into a file, as it was encoded: nothing is decoded or encoded again.
///
/// Frames go in by the time at which they reached the decoder. The first picture in the file is a keyframe, and pictures
/// of 16×16, which stand for a muted camera, are left out: the last picture stays.
final class Recorder: Sendable {
    private let state: Locked<State>
    private let lane: any Lane
    private let scheduler: any Scheduler

    private struct State {
        var writer: any MediaWriter
        var sizes = CodedSizeTracker()
        var needsKeyframe = true
        var failure: MediaWriterError?
    }

    init(writer: sending any MediaWriter, scheduler: any Scheduler) {
        state = Locked(State(writer: writer))
        self.scheduler = scheduler
        lane = scheduler.makeLane("recorder")
    }

    func record(_ frame: EncodedVideoFrame) {
        let time = scheduler.now
        lane.async {
            self.attempt { state throws(MediaWriterError) in
                guard let size = state.sizes.size(of: frame) else { return }
                if size.isPlaceholder {
                    state.needsKeyframe = true
                    return
                }
                if state.needsKeyframe, !frame.isKeyframe { return }
                state.needsKeyframe = false
                var sized = frame
                (sized.width, sized.height) = (size.width, size.height)
                try state.writer.write(sized, at: time)
            }
        }
    }

    func record(_ input: AudioDecoderInput, channels: Int) {
        guard case .packet(let packet) = input, !packet.isEmpty else { return }
        let time = scheduler.now
        lane.async {
            self.attempt { state throws(MediaWriterError) in
                try state.writer.write(opus: packet, channels: channels, at: time)
            }
        }
    }

    /// Completes the file.
    ///
    /// - Throws: the first error that a write or the completion met.
    func finish() throws(MediaWriterError) {
        let failure = lane.sync { () -> MediaWriterError? in
            attempt { state throws(MediaWriterError) in try state.writer.finish() }
            return state.withLock { $0.failure }
        }
        if let failure { throw failure }
    }

    /// One failure ends the recording: a file with holes would look whole.
    private func attempt(_ work: (inout State) throws(MediaWriterError) -> Void) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(MediaWriterError) {
                try work(&state)
            } catch {
                state.failure = error
            }
        }
    }
}
