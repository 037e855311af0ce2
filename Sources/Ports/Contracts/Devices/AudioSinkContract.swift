// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What every audio sink promises.
///
/// ```swift
/// AudioSinkContract { (MyLoudspeaker(), ContractTime.real(DispatchScheduler())) }.promises
/// ```
public struct AudioSinkContract: Contract {
    private let make: @Sendable () throws -> (any AudioSink, ContractTime)

    /// The contract of the sinks that `make` gives.
    public init(make: @escaping @Sendable () throws -> (any AudioSink, ContractTime)) { self.make = make }

    /// All promises.
    public var promises: [Promise] {
        [
            promise("nothing waits in a new sink") { sink, _ in
                try expect(sink.queued == .zero, "\(sink.queued.milliseconds) ms")
            },
            promise("what is played waits its turn, and time plays it") { sink, time in
                for _ in 0..<10 { sink.play(try sound(for: sink)) }
                let queued = sink.queued
                let isAll =
                    queued <= .milliseconds(200) && queued >= .milliseconds(200) - .milliseconds(50) - time.tolerance
                try expect(isAll, "\(queued.milliseconds) of 200 ms")
                try await time.pass(.milliseconds(100))
                try expect(sink.queued <= .milliseconds(100), "after 100 ms still \(sink.queued.milliseconds) ms")
                try await time.wait(for: "end of the sound", within: .milliseconds(200)) { sink.queued == .zero }
            },
            promise("flush forgets what waits, and playing goes on afterwards") { sink, time in
                for _ in 0..<10 { sink.play(try sound(for: sink)) }
                sink.flush()
                try expect(sink.queued <= .milliseconds(20), "\(sink.queued.milliseconds) ms")
                try await time.pass(.milliseconds(30))
                sink.play(try sound(for: sink))
                try expect(sink.queued > .zero, "nothing waits after another play")
            },
            promise("what does not fit is dropped: the queue stays bounded and nothing blocks") { sink, time in
                let start = time.scheduler.now
                for _ in 0..<1_000 { sink.play(try sound(for: sink)) }
                try expect(time.scheduler.now - start < .seconds(5), "20 s of sound blocked")
                try expect(sink.queued < .seconds(10), "\(sink.queued.seconds) s wait")
            },
        ]
    }

    private func promise(
        _ sentence: String, _ body: @escaping @Sendable (any AudioSink, ContractTime) async throws -> Void
    ) -> Promise {
        Promise(sentence) { [make] in
            let (sink, time) = try make()
            try await body(sink, time)
        }
    }
}

/// 20 ms in the sink's own format.
private func sound(for sink: any AudioSink) throws -> AudioBuffer {
    let length = Int(sink.format.sampleRate / 50)
    guard let buffer = AudioBuffer(format: sink.format, frameCapacity: length) else {
        throw Unkept(seen: "no buffer in the format \(sink.format)")
    }
    return buffer
}
