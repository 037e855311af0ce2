// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import Glibc
import RevueTime

/// Waits for the first of: a signal of ours, traffic on toxcore's sockets, a deadline.
///
/// toxcore's UDP socket is watched by level: an iteration empties it. A stream socket is watched by edge, because it was
/// found by its address and may belong to someone else in the process who leaves it unread: that must not spin us.
final class ReadinessSet {
    struct Outcome {
        var signalled = false
        var traffic = false
    }

    private let descriptor: Int32
    private let wake: WakeEvent

    /// Nil when the process has no descriptor left.
    init?(wake: WakeEvent) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        self.wake = wake
        if descriptor < 0 { return nil }
        guard add(wake.descriptor, EPOLLIN.rawValue) else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Watches a datagram socket. A socket that is closed leaves the set by itself.
    @discardableResult
    func watchDatagrams(_ socket: Int32) -> Bool { add(socket, EPOLLIN.rawValue) }

    /// Watches a stream socket; one that is watched already stays so.
    @discardableResult
    func watchStream(_ socket: Int32) -> Bool { add(socket, EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue) }

    /// Waits at most this long (rounded up to a millisecond), or not at all.
    func wait(atMost interval: Interval) -> Outcome {
        let nanoseconds = max(0, min(interval.nanoseconds, 60_000_000_000))
        let milliseconds = Int32((nanoseconds + 999_999) / 1_000_000)
        var outcome = Outcome()
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 16) { events in
            let count = epoll_wait(descriptor, events.baseAddress, 16, milliseconds)
            for index in 0..<max(0, Int(count)) {
                if events[index].data.fd == wake.descriptor {
                    outcome.signalled = true
                } else {
                    outcome.traffic = true
                }
            }
        }
        if outcome.signalled { wake.clear() }
        return outcome
    }

    private func add(_ socket: Int32, _ interest: UInt32) -> Bool {
        var event = epoll_event(events: interest, data: epoll_data_t(fd: socket))
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 || errno == EEXIST
    }
}
