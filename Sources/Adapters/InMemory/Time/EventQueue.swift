// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// A binary heap of events by time and then by the order of their insertion.
struct EventQueue {
    struct Event {
        let time: Instant
        let sequence: UInt64
        let lane: Int
        let timer: VirtualTimer

        func isBefore(_ other: Event) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var heap: [Event] = []
    private var inserted: UInt64 = 0

    /// When the first event is due; a cancelled one counts until it is removed.
    var nextTime: Instant? { heap.first?.time }

    mutating func insert(_ timer: VirtualTimer, lane: Int, at time: Instant) {
        heap.append(Event(time: time, sequence: inserted, lane: lane, timer: timer))
        inserted += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Event? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return last }
        heap[0] = last
        sink()
        return first
    }

    func cancelAll() { for event in heap { event.timer.cancel() } }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[smallest]) {
                smallest = child
            }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
