// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct DependencyTests {
    @Test func `a frame whose reference is lost is not handed out, the next keyframe is`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        _ = call.frame()
        for _ in 0..<3 {
            call.pass(.milliseconds(33))
            call.receive(call.frame())
        }
        #expect(call.numbers == [1])
        call.receive(call.frame(key: true))
        call.receive(call.frame())
        #expect(call.numbers == [1, 6, 7])
        #expect(call.receiver.statistics.framesDropped == 3)
    }

    @Test func `a stream of keyframes never waits`() {
        let call = VideoCall()
        var expected: [Int] = []
        for number in 1...60 {
            let packets = call.frame(key: true, bytes: 3_000)
            if number % 3 == 0 {
                call.receive(Array(packets.dropFirst()))
            } else {
                call.receive(packets)
                expected.append(number)
                #expect(call.numbers.last == number)
            }
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == expected)
    }

    @Test func `what comes for frames already passed is accepted and of no use`() {
        let call = VideoCall()
        let first = call.frame(key: true)
        let second = call.frame(key: true, bytes: 2_000)
        call.receive(second)
        call.receive(first)
        #expect(call.numbers == [2])
        #expect(call.receiver.statistics.late == 1)
        #expect(call.receiver.statistics.packetsLost == 0)
    }

    /// Layers 0 2 1 2, as a three-layer stream has them; all but the base-layer frames are sync frames at first.
    private static let layers = [0, 2, 1, 2]

    @Test func `all layers come out in order`() {
        let call = VideoCall()
        for number in 0..<40 {
            let layer = Self.layers[number % 4]
            call.receive(call.frame(key: number == 0, layer: layer, sync: number < 4 && layer > 0, layers: true))
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == Array(1...40))
        #expect(call.frames.prefix(4).map(\.temporalLayer) == Self.layers)
    }

    @Test func `a lost frame of a higher layer stops that layer alone, and no keyframe is asked for`() {
        let call = VideoCall()
        for number in 0..<16 {
            let layer = Self.layers[number % 4]
            let packets = call.frame(key: number == 0, layer: layer, layers: true)
            if number != 5 { call.receive(packets) }
            call.pass(.milliseconds(33))
        }
        // Frame 6 (layer 2) is lost: base-layer frames go on, higher ones stay out until a sync frame.
        #expect(call.numbers == [1, 2, 3, 4, 5, 9, 13])
        #expect(call.requests.isEmpty)
        call.receive(call.frame(layer: 0, layers: true))
        call.receive(call.frame(layer: 2, sync: true, layers: true))
        call.receive(call.frame(layer: 1, sync: true, layers: true))
        call.receive(call.frame(layer: 2, layers: true))
        #expect(call.numbers.suffix(4) == [17, 18, 19, 20])
    }

    @Test func `a lost frame of the base layer stops all, and a keyframe is asked for`() {
        let call = VideoCall()
        for number in 0..<12 {
            let layer = Self.layers[number % 4]
            let packets = call.frame(key: number == 0, layer: layer, sync: layer > 0, layers: true)
            if number != 4 { call.receive(packets) }
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == [1, 2, 3, 4])
        #expect(!call.requests.isEmpty)
    }

    @Test func `under any loss, reordering and repetition only decodable frames come out, each once, in order`() {
        for seed in UInt64(1)...24 {
            var generator = SeededGenerator(seed: seed)
            let layered = seed % 2 == 0
            let call = VideoCall(seed: seed)
            var decoder = ReferenceDecoder()
            var flight: [[UInt8]] = []
            var answered = 0
            for number in 0..<300 {
                let layer = layered ? Self.layers[number % 4] : 0
                let key = number == 0 || call.requests.count > answered
                answered = call.requests.count
                let packets = call.frame(
                    key: key, bytes: Int.random(in: 1...4_000, using: &generator), layer: layer,
                    sync: layer > 0 && number % 8 < 4, layers: layered)
                decoder.sent(number + 1, key: key, layer: key ? 0 : layer, sync: number % 8 < 4, layered: layered)
                for packet in packets {
                    let fate = Int.random(in: 0..<100, using: &generator)
                    if fate >= 5 { flight.append(packet) }
                    if fate >= 95 { flight.append(packet) }
                    if fate % 10 == 0, flight.count > 1 { flight.swapAt(flight.count - 1, flight.count - 2) }
                }
                while flight.count > 3 { call.receive(flight.removeFirst()) }
                call.pass(.milliseconds(33))
            }
            call.receive(flight)
            #expect(call.frames.count > 100)
            #expect(zip(call.numbers, call.numbers.dropFirst()).allSatisfy { $0 < $1 })
            let undecodable = call.numbers.filter { !decoder.decodes($0) }
            #expect(undecodable.isEmpty, "seed \(seed)")
        }
    }
}

/// Knows what each frame depends on, by the rules of the sender, and whether a decoder has got it.
private struct ReferenceDecoder {
    private var needs: [Int: [Int]] = [:]
    private var decoded: Set<Int> = []
    private var newest: [Int: Int] = [:]

    mutating func sent(_ number: Int, key: Bool, layer: Int, sync: Bool, layered: Bool) {
        if key {
            needs[number] = []
            newest = [:]
        } else if !layered {
            needs[number] = [number - 1]
        } else if layer > 0, sync {
            needs[number] = [newest[0]].compactMap { $0 }
        } else {
            needs[number] = (0...layer).compactMap { newest[$0] }
        }
        newest[layer] = number
    }

    mutating func decodes(_ number: Int) -> Bool {
        guard let needs = needs[number], needs.allSatisfy({ decoded.contains($0) }) else { return false }
        decoded.insert(number)
        return true
    }
}
