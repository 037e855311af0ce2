// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Watches who speaks: takes the level of every audio frame, and ends a window every 400 ms while anybody is heard.
final class SpeechMonitor: Sendable {
    private struct State {
        var list = SpeakerList()
        var timer: (any LaneTimer)?
        var isClosed = false
    }

    private let scheduler: any Scheduler
    private let lane: any Lane
    private let changed: @Sendable (SpeakerList.Change, [SpeakerList.Speaker]) -> Void
    private let state = Locked(State())

    /// - Parameter changed: hears of each change, with the whole list as it is then.
    init(
        scheduler: any Scheduler, changed: @escaping @Sendable (SpeakerList.Change, [SpeakerList.Speaker]) -> Void
    ) {
        self.scheduler = scheduler
        self.changed = changed
        lane = scheduler.makeLane("speech")
    }

    func heard(_ peer: PeerID, level: UInt8, lasting duration: Interval) {
        guard level <= SpeechActivity.voiceLevel else { return }
        let now = scheduler.now
        state.withLock { state in
            state.list.heard(peer, level: level, lasting: duration)
            arm(&state, now)
        }
    }

    /// Somebody was muted or left.
    func clear(_ peer: PeerID) { update { $0.clear(peer) } }

    /// Nobody speaks any more; tells so, and then nothing further.
    func close() {
        update { $0.clearAll() }
        state.withLock { state in
            state.isClosed = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func arm(_ state: inout State, _ now: Instant) {
        guard state.timer == nil, !state.isClosed, !state.list.isQuiet else { return }
        state.timer = lane.schedule(at: now + SpeechActivity.window) { [weak self] in self?.endWindow() }
    }

    private func endWindow() {
        let now = scheduler.now
        update { $0.endWindow() }
        state.withLock { state in
            state.timer = nil
            arm(&state, now)
        }
    }

    private func update(_ body: (inout SpeakerList) -> SpeakerList.Change) {
        let (change, speakers) = state.withLock { state in (body(&state.list), state.list.speakers) }
        if change.list != nil || !change.flips.isEmpty { changed(change, speakers) }
    }
}
