// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// An expectation on what a mutating call returned.
private func check(_ value: Int64, _ expected: Int64) { #expect(value == expected) }

@Suite struct UnwrapperTests {
    @Test(arguments: [UInt16(0), 1, 32_767, 65_530])
    func `sequence numbers go on over the wrap`(start: UInt16) {
        var unwrapper = SequenceUnwrapper()
        let first = unwrapper.unwrap(start)
        let wrong = (1...200_000).filter { step in
            unwrapper.unwrap(start &+ UInt16(truncatingIfNeeded: step)) != first + Int64(step)
        }
        #expect(wrong.isEmpty)
    }

    @Test func `an older number unwraps to the past and does not move the reference`() {
        var unwrapper = SequenceUnwrapper()
        _ = unwrapper.unwrap(65_535)
        check(unwrapper.unwrap(1), 65_537)
        check(unwrapper.unwrap(65_534), 65_534)
        check(unwrapper.unwrap(2), 65_538)
    }

    @Test func `peeking changes nothing`() {
        var unwrapper = TimestampUnwrapper()
        _ = unwrapper.unwrap(.max)
        let before = unwrapper
        #expect(unwrapper.peek(4) == Int64(UInt32.max) + 5)
        #expect(unwrapper == before)
    }

    @Test(arguments: [(UInt16(0), UInt16(32_768)), (100, 32_868), (65_535, 32_767)])
    func `exactly half the range apart the larger value is the newer`(pair: (UInt16, UInt16)) {
        var forwards = SequenceUnwrapper()
        let start = forwards.unwrap(pair.0)
        #expect((forwards.peek(pair.1) > start) == (pair.1 > pair.0))
        var backwards = SequenceUnwrapper()
        let other = backwards.unwrap(pair.1)
        #expect((backwards.peek(pair.0) > other) == (pair.0 > pair.1))
    }

    @Test func `a timestamp that rolls over goes on`() {
        var unwrapper = TimestampUnwrapper()
        check(unwrapper.unwrap(.max - 2_999), Int64(UInt32.max) - 2_999)
        check(unwrapper.unwrap(0), Int64(UInt32.max) + 1)
        check(unwrapper.unwrap(3_000), Int64(UInt32.max) + 3_001)
    }

    @Test func `after a silence of more than half the range the elapsed time tells the wrap`() {
        var unwrapper = TimestampUnwrapper()
        let first = unwrapper.unwrap(1_000)
        let tenHours = Int64(36_000) * 90_000
        let wire = UInt32(truncatingIfNeeded: first + tenHours + 50)
        #expect(unwrapper.peek(wire) != first + tenHours + 50)
        check(unwrapper.unwrap(wire, near: first + tenHours), first + tenHours + 50)
    }

    @Test(arguments: [PictureIDUnwrapper.Width.short, .long])
    func `picture ids of either width go on over the wrap`(width: PictureIDUnwrapper.Width) {
        var unwrapper = PictureIDUnwrapper(width)
        let mask = UInt16(1 << width.rawValue - 1)
        let first = unwrapper.unwrap(mask - 1, width)
        let wrong = (1...70_000).filter { step in
            let value = (mask - 1 &+ UInt16(truncatingIfNeeded: step)) & mask
            return unwrapper.unwrap(value, width) != first + Int64(step)
        }
        #expect(wrong.isEmpty)
    }

    @Test func `a picture id that grows to 15 bits goes on counting`() {
        var unwrapper = PictureIDUnwrapper(.short)
        check(unwrapper.unwrap(127, .short), 127)
        check(unwrapper.unwrap(128, .long), 128)
    }

    @Test func `extreme references do not trap`() {
        var unwrapper = TimestampUnwrapper()
        _ = unwrapper.unwrap(5, near: .max)
        for value: UInt32 in [0, 1, 0x7FFF_FFFF, 0x8000_0000, .max] { _ = unwrapper.unwrap(value) }
        _ = unwrapper.unwrap(5, near: .min)
        for value: UInt32 in [0, 1, 0x7FFF_FFFF, 0x8000_0000, .max] { _ = unwrapper.unwrap(value) }
    }
}

@Suite struct MediaClockTests {
    @Test(arguments: [
        (MediaClock.video, Int64(1_000_000_000), Int64(90_000)), (.video, 11_111, 0), (.video, 11_112, 1),
        (.audio, 20_000_000, 960), (.video, -1, -1), (.audio, -1_000_000_000, -48_000),
    ])
    func `ticks are counted from the origin and rounded to the past`(clock: MediaClock, time: Int64, ticks: Int64) {
        #expect(clock.ticks(at: Instant(nanoseconds: time)) == ticks)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func `no time makes the clocks trap`(time: Int64) {
        for clock in [MediaClock.video, .audio] {
            _ = clock.ticks(at: Instant(nanoseconds: time))
            _ = clock.interval(ticks: time)
        }
        let moved = NTPTime.advanced(1 << 63, by: Interval(nanoseconds: time))
        _ = NTPTime.interval(from: 1 << 63, to: moved)
    }

    @Test(arguments: [Int64(0), 1, -1, 20_000_000, -3_600_000_000_000, 86_400_000_000_001])
    func `an NTP time moved by an interval is that interval away`(nanoseconds: Int64) {
        let start: UInt64 = 0xFFFF_FFFF_0000_1234
        let moved = NTPTime.advanced(start, by: Interval(nanoseconds: nanoseconds))
        let difference = NTPTime.interval(from: start, to: moved).nanoseconds - nanoseconds
        #expect((-2...2).contains(difference))
    }
}
