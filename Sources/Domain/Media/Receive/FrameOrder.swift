// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Hands out frames in decode order, each once, and only those whose references were handed out.
///
/// What can be decoded may go out at once: a keyframe needs nothing of what came before it, nor does a base-layer frame
/// need lost frames of higher layers; the owner decides how long they wait for it all the same. Bounded: 64 frames and
/// 4 MiB wait at most; the oldest go first.
struct FrameOrder {
    static let mostFrames = 64
    static let mostBytes = 4 << 20

    private enum Gate {
        /// Only a keyframe opens it.
        case closed
        case open(Last)
    }

    /// The state of a decoder that got everything handed out.
    private struct Last {
        var sequence: Int64
        var picture: Int64?
        var baseIndex: Int64?
        /// Bit n: all frames of layer n since the last point of entry were handed out.
        var intactLayers: UInt8
    }

    /// The number of the last packet handed out or given up: nothing up to it is of use any more.
    private(set) var floor: Int64 = .min
    /// Frames put together and not handed out.
    private(set) var dropped: UInt64 = 0
    private var gate = Gate.closed
    private var waiting: [AssembledFrame] = []
    private var waitingBytes = 0

    /// Whether only a keyframe can go out next.
    var isClosed: Bool {
        switch gate {
        case .closed: true
        case .open: false
        }
    }

    /// Whether a frame waits for something without which the stream cannot go on.
    var isStuck: Bool {
        for frame in waiting where frame.isEssential { return !hasNext }
        return false
    }

    var hasNext: Bool { nextIndex != nil }

    /// When the frame that goes out next is due.
    func nextDue(_ playout: VideoPlayout) -> Instant? { nextIndex.map { playout.due(waiting[$0].frame) } }

    /// The first packet of the frame that goes out next, when others may be missing before it; nil when nothing goes out,
    /// or nothing can be missing. A closed stream waits for nothing but its keyframe.
    var nextAfterGap: Int64? {
        guard case .open(let last) = gate, let index = nextIndex else { return nil }
        let frame = waiting[index]
        let picture: Int64? =
            switch frame.dependency {
            case .none(let picture, _), .previous(let picture), .layered(let picture, _, _): picture
            }
        return follows(frame, picture, last) ? nil : frame.sequences.lowerBound
    }

    mutating func add(_ frame: AssembledFrame) {
        guard frame.sequences.lowerBound > floor else {
            dropped &+= 1
            return
        }
        let index = waiting.lastIndex { $0.sequences.lowerBound < frame.sequences.lowerBound }.map { $0 + 1 } ?? 0
        waiting.insert(frame, at: index)
        waitingBytes += frame.frame.bytes.count
        while waiting.count > Self.mostFrames || waitingBytes > Self.mostBytes { removeFirst() }
    }

    private mutating func removeFirst() {
        let frame = waiting.removeFirst()
        waitingBytes -= frame.frame.bytes.count
        floor = max(floor, frame.sequences.upperBound)
        dropped &+= 1
    }

    /// A packet without payload: its number is not to be waited for.
    mutating func passed(padding number: Int64) {
        if case .open(var last) = gate, number == last.sequence &+ 1 {
            last.sequence = number
            gate = .open(last)
            floor = max(floor, number)
        }
        for index in waiting.indices where number == waiting[index].sequences.upperBound &+ 1 {
            waiting[index].sequences = waiting[index].sequences.lowerBound...number
        }
    }

    /// The next frame to decode. Frames before it, if any waited, are dropped.
    mutating func takeNext() -> IncomingVideoFrame? {
        guard let index = nextIndex else { return nil }
        for _ in 0..<index { removeFirst() }
        let frame = waiting.removeFirst()
        waitingBytes -= frame.frame.bytes.count
        floor = max(floor, frame.sequences.upperBound)
        gate = .open(state(after: frame))
        return frame.frame
    }

    /// The decoder lost its state: only a keyframe helps.
    mutating func close() { gate = .closed }

    /// Forgets all frames; packets up to number `last` are of no use any more.
    mutating func reset(through last: Int64) {
        dropped &+= UInt64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        gate = .closed
        floor = max(floor, last)
    }

    private var nextIndex: Int? { waiting.firstIndex { isDecodable($0) } }

    private func isDecodable(_ frame: AssembledFrame) -> Bool {
        if case .none = frame.dependency { return true }
        guard case .open(let last) = gate else { return false }
        switch frame.dependency {
        case .none: return true
        case .previous(let picture): return follows(frame, picture, last)
        case .layered(let picture, let baseIndex, let layer):
            // A stream that only now begins to count layers can be followed picture by picture.
            guard let lastBase = last.baseIndex else { return follows(frame, picture, last) }
            if layer.temporal == 0 { return baseIndex == lastBase &+ 1 }
            guard baseIndex == lastBase else { return false }
            if layer.isSync { return true }
            let needed = UInt8(truncatingIfNeeded: (2 << UInt16(layer.temporal)) - 1)
            return follows(frame, picture, last) && last.intactLayers & needed == needed
        }
    }

    /// Whether no frame is missing in between: by picture ids, or by packet numbers where there are no ids.
    private func follows(_ frame: AssembledFrame, _ picture: Int64?, _ last: Last) -> Bool {
        if let picture, let previous = last.picture { return picture == previous &+ 1 }
        return frame.sequences.lowerBound == last.sequence &+ 1
    }

    private func state(after frame: AssembledFrame) -> Last {
        let sequence = frame.sequences.upperBound
        switch frame.dependency {
        case .none(let picture, let baseIndex):
            return Last(sequence: sequence, picture: picture, baseIndex: baseIndex, intactLayers: 0xFF)
        case .previous(let picture):
            return Last(sequence: sequence, picture: picture, baseIndex: nil, intactLayers: 0xFF)
        case .layered(let picture, let baseIndex, let layer):
            var intact: UInt8 = 0xFF
            if case .open(let last) = gate {
                intact = follows(frame, picture, last) ? last.intactLayers : 1
            }
            intact |= 1 << layer.temporal
            return Last(sequence: sequence, picture: picture, baseIndex: baseIndex, intactLayers: intact)
        }
    }
}
