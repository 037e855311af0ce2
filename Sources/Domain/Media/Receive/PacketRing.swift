// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Holds packets of frames that are not whole yet, and finds the frames that become whole.
///
/// Starts at 64 slots of 1,500 bytes and doubles up to 512 (768 KB) only when a packet would displace one that is still
/// of use. A packet's `isContinuous` says that its frame is there from the start up to it, so that each insertion costs
/// the same however long the frame is.
struct PacketRing {
    static let slotBytes = 1_500
    static let smallest = 64
    static let largest = 512

    /// What is kept of a packet besides its payload.
    struct Packet {
        var sequence: Int64
        var timestamp: Int64
        var descriptor: VP8Descriptor
        var captureNTP: UInt64?
        var isMuted: Bool
        var isEnd: Bool
        var isKeyframeStart: Bool
        /// No payload: part of no frame, but a number that need not be waited for.
        var isPadding: Bool
        var byteCount = 0
        var isContinuous = false

        var isStart: Bool { !isPadding && descriptor.isFrameStart }
    }

    /// The last packets of frames that an insertion made whole: at most the one before and the packet's own.
    struct Completed {
        var earlier: Int64?
        var own: Int64?
    }

    /// Packets thrown away without having been part of a whole frame; padding is not counted.
    private(set) var discarded: UInt64 = 0
    private var packets: [Packet?] = []
    private var bytes: [UInt8] = []
    /// No packet lower than this is held.
    private var lowest: Int64 = .max
    private var highest: Int64 = .min

    private subscript(sequence: Int64) -> Packet? {
        guard !packets.isEmpty, let packet = packets[slot(sequence)], packet.sequence == sequence else { return nil }
        return packet
    }

    private func slot(_ sequence: Int64) -> Int { Int(sequence & Int64(packets.count - 1)) }

    /// Takes a packet whose number was not inserted before.
    mutating func insert(_ packet: Packet, payload: UnsafeRawBufferPointer) -> Completed {
        guard payload.count <= Self.slotBytes, makeRoom(for: packet.sequence) else {
            if !packet.isPadding { discarded &+= 1 }
            return Completed()
        }
        let index = slot(packet.sequence)
        var packet = packet
        packet.byteCount = payload.count
        packets[index] = packet
        lowest = min(lowest, packet.sequence)
        highest = max(highest, packet.sequence)
        let start = index * Self.slotBytes
        bytes.withUnsafeMutableBytes { store in
            UnsafeMutableRawBufferPointer(rebasing: store[start..<start + payload.count]).copyMemory(from: payload)
        }
        return completed(by: packet.sequence)
    }

    /// Finds what a new packet completes. A frame ends with the marker, or where the next starts at another time.
    private mutating func completed(by sequence: Int64) -> Completed {
        var completed = Completed()
        guard let packet = self[sequence] else { return completed }
        if packet.isStart, let before = self[sequence &- 1], !before.isEnd, before.timestamp != packet.timestamp {
            packets[slot(before.sequence)]?.isEnd = true
            if before.isContinuous { completed.earlier = before.sequence }
        }
        if let after = self[sequence &+ 1], after.isStart, after.timestamp != packet.timestamp {
            packets[slot(sequence)]?.isEnd = true
        }
        completed.own = spreadContinuity(from: sequence)
        return completed
    }

    private mutating func spreadContinuity(from sequence: Int64) -> Int64? {
        var number = sequence
        while let packet = self[number] {
            if !packet.isStart {
                guard let before = self[number &- 1], before.isContinuous, !before.isEnd,
                    packet.isPadding || before.timestamp == packet.timestamp
                else { return nil }
                if packet.isPadding { packets[slot(number)]?.timestamp = before.timestamp }
            }
            packets[slot(number)]?.isContinuous = true
            if packet.isEnd, !packet.isPadding { return number }
            number &+= 1
        }
        return nil
    }

    /// Takes the frame out that ends with packet `end`.
    ///
    /// - Returns: its first packet, all numbers (padding right behind it included) and its bytes.
    mutating func takeFrame(endingWith end: Int64) -> (start: Packet, sequences: ClosedRange<Int64>, bytes: [UInt8])? {
        var number = end
        var total = 0
        while let packet = self[number], packet.isContinuous {
            total += packet.byteCount
            if packet.isStart {
                let frame = gather(number...end, total: total)
                free(through: end, from: number)
                return (packet, number...takePadding(after: end), frame)
            }
            number &-= 1
        }
        return nil
    }

    private func gather(_ numbers: ClosedRange<Int64>, total: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            for number in numbers {
                guard let packet = self[number], count + packet.byteCount <= total else { continue }
                let start = slot(number) * Self.slotBytes
                bytes.withUnsafeBytes { store in
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: store[start..<start + packet.byteCount]))
                }
                count += packet.byteCount
            }
        }
    }

    private mutating func free(through last: Int64, from first: Int64) {
        for number in first...last { packets[slot(number)] = nil }
    }

    private mutating func takePadding(after end: Int64) -> Int64 {
        var last = end
        while let packet = self[last &+ 1], packet.isPadding {
            packets[slot(packet.sequence)] = nil
            last &+= 1
        }
        return last
    }

    /// Throws away all packets up to a number.
    mutating func discard(through number: Int64) {
        guard lowest <= number, !packets.isEmpty else { return }
        var next = max(lowest, number &- Int64(packets.count) &+ 1)
        while next <= number {
            if let packet = packets[slot(next)], packet.sequence <= number { discard(at: slot(next), packet) }
            next &+= 1
        }
        lowest = number &+ 1
    }

    private mutating func discard(at index: Int, _ packet: Packet) {
        packets[index] = nil
        if !packet.isPadding { discarded &+= 1 }
    }

    /// Throws everything away.
    mutating func removeAll() {
        for index in packets.indices {
            if let packet = packets[index] { discard(at: index, packet) }
        }
        (lowest, highest) = (.max, .min)
    }

    /// Frees the slot of a number; false when what is there is newer.
    private mutating func makeRoom(for number: Int64) -> Bool {
        if packets.isEmpty { resize(to: Self.smallest) }
        while let occupant = packets[slot(number)], occupant.sequence != number {
            if packets.count < Self.largest {
                resize(to: packets.count * 2)
            } else if occupant.sequence < number {
                discard(at: slot(number), occupant)
            } else {
                return false
            }
        }
        return true
    }

    private mutating func resize(to count: Int) {
        let (oldPackets, oldBytes) = (packets, bytes)
        packets = Array(repeating: nil, count: count)
        bytes = Array(repeating: 0, count: count * Self.slotBytes)
        for (index, packet) in oldPackets.enumerated() {
            guard let packet else { continue }
            let target = slot(packet.sequence)
            packets[target] = packet
            let (from, to) = (index * Self.slotBytes, target * Self.slotBytes)
            for offset in 0..<packet.byteCount { bytes[to + offset] = oldBytes[from + offset] }
        }
    }
}
