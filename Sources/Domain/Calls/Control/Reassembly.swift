// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Puts the fragments of a message together. They come in order, so that one message at a time is enough for a stream.
struct Reassembly: Sendable, Equatable {
    private struct Gathered: Sendable, Equatable {
        var type: UInt8
        var next: Fragment
        var fields: [UInt8]
    }
    private var gathered: Gathered?

    /// What came of a frame.
    enum Arrival: Sendable, Equatable {
        case message(type: UInt8, fields: [UInt8])
        case broken(ControlDrop)
    }

    /// Takes the next frame of the stream; nothing while the message is not complete.
    mutating func add(_ frame: EarlyFrame) -> [Arrival] {
        var arrivals: [Arrival] = []
        if let known = gathered, known.type != frame.type || known.next != frame.fragment {
            gathered = nil
            arrivals.append(.broken(.brokenMessage))
        }
        if gathered == nil, frame.fragment.index != 0 {
            return arrivals.isEmpty ? [.broken(.brokenMessage)] : arrivals
        }
        var fields = gathered?.fields ?? []
        fields += frame.fields
        gathered = nil
        guard fields.count <= ControlLimits.messageBytes else { return arrivals + [.broken(.oversizedMessage)] }
        let next = Fragment(index: frame.fragment.index &+ 1, count: frame.fragment.count)
        if next.index == next.count { return arrivals + [.message(type: frame.type, fields: fields)] }
        gathered = Gathered(type: frame.type, next: next, fields: fields)
        return arrivals
    }
}

/// What of a received frame belongs to its stream.
struct EarlyFrame: Sendable, Equatable {
    var sequence: UInt32
    var fragment: Fragment
    var type: UInt8
    var fields: [UInt8]
}
