// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@testable import RevueCore

struct EventFeedTests {
    private enum Event: Sendable, Equatable {
        case number(Int)
        case missed(Int, upTo: Int)
    }

    private let feed = EventFeed<Event> { count, last in
        if case .number(let number) = last { .missed(count, upTo: number) } else { .missed(count, upTo: -1) }
    }

    private func take(_ count: Int, from iterator: inout EventStream<Event>.Iterator) async -> [Event] {
        var events: [Event] = []
        while events.count < count, let event = await iterator.next() { events.append(event) }
        return events
    }

    @Test func `a slow loop keeps the newest events and is told how many it missed`() async {
        var iterator = EventStream(feed).makeAsyncIterator()
        let limit = EventFeed<Event>.limit
        for number in 0..<(limit + 7) { feed.send(.number(number)) }
        feed.finish()
        let events = await take(.max, from: &iterator)
        #expect(events.first == .missed(7, upTo: 6))
        #expect(events.dropFirst() == (7..<(limit + 7)).map { Event.number($0) }[...])
    }

    @Test func `a loop that keeps up misses nothing, however many events there are`() async {
        var iterator = EventStream(feed).makeAsyncIterator()
        for round in 0..<5 {
            let numbers = (0..<1_000).map { Event.number(round * 1_000 + $0) }
            for number in numbers { feed.send(number) }
            #expect(await take(1_000, from: &iterator) == numbers)
        }
    }

    @Test func `a loop that waits is woken by the next event`() async {
        let stream = EventStream(feed)
        async let first: Event? = {
            for await event in stream { return event }; return nil
        }()
        feed.send(.number(1))
        #expect(await first == .number(1))
    }

    @Test func `a second loop over one stream begins when it is started, with all events to itself`() async {
        let stream = EventStream(feed)
        feed.send(.number(1))
        var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
        feed.send(.number(2))
        feed.finish()
        #expect(await take(3, from: &first) == [.number(1), .number(2)])
        #expect(await take(3, from: &second) == [.number(2)])
    }

    @Test func `an ended loop stays ended, and a later one hears what comes later`() async {
        var ended = EventStream(feed).makeAsyncIterator()
        feed.finish()
        var later = EventStream(feed).makeAsyncIterator()
        feed.send(.number(1))
        #expect(await ended.next() == nil)
        #expect(await ended.next() == nil)
        #expect(await later.next() == .number(1))
    }

    @Test func `a cancelled task leaves its loop`() async {
        let stream = EventStream(feed)
        let task = Task {
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        feed.send(.number(1))
        task.cancel()
        #expect(await task.value <= 1)
    }

    @Test func `a stream that nobody keeps is forgotten`() {
        do {
            let streams = (0..<10).map { _ in EventStream(feed) }
            #expect(feed.followerCount == 10)
            withExtendedLifetime(streams) {}
        }
        #expect(feed.followerCount == 0)
    }

    @Test func `a loop over the log hears the lines of the wanted levels, and ends with its instance`() async {
        let center = LogCenter()
        let follower = LogFollower(center)
        var iterator = EventStream(follower.feed).makeAsyncIterator()
        for level in [RevueLogLevel.debug, .warning, .error] {
            center.publish(RevueLogEntry(level: level, source: "test", message: level.name))
        }
        follower.feed.finish()
        center.publish(RevueLogEntry(level: .error, source: "test", message: "later"))
        var heard: [String] = []
        while let line = await iterator.next() { heard.append(line.message) }
        #expect(heard == ["WARNING", "ERROR"])
    }
}
