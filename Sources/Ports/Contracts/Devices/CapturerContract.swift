// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What every capturer promises, whatever it captures.
///
/// ```swift
/// CapturerContract.video(request: .init(width: 320, height: 180, frameRate: 15)) {
///     (MyCamera(), ContractTime.real(DispatchScheduler()))
/// }.promises
/// ```
public struct CapturerContract<Source: Capturer>: Contract {
    /// What a check asks about one output.
    struct Reading: Sendable {
        var captureTime: Instant
        /// How long the output lasts; zero when it does not say.
        var duration: Interval
        /// What is wrong with it by itself, if anything.
        var flaw: String?
    }

    private let request: Source.Request
    private let interval: Interval
    private let read: @Sendable (Source.Output) -> Reading
    private let make: @Sendable () throws -> (Source, ContractTime)

    init(
        request: Source.Request, interval: Interval, make: @escaping @Sendable () throws -> (Source, ContractTime),
        read: @escaping @Sendable (Source.Output) -> Reading
    ) {
        self.request = request
        self.interval = interval
        self.read = read
        self.make = make
    }

    /// All promises.
    public var promises: [Promise] {
        [
            promise("it gives about as many outputs as asked for, each later than the one before") { [self] run in
                try await run.time.wait(for: "first output") { run.outputs.count >= 1 }
                try await run.time.pass(interval * 20)
                let readings = run.outputs.all
                try expect((14...28).contains(readings.count), "\(readings.count) outputs in the time of 20")
                for (one, next) in zip(readings, readings.dropFirst()) {
                    try expect(
                        next.captureTime > one.captureTime, "\(one.captureTime) is followed by \(next.captureTime)")
                }
                if let flaw = readings.compactMap(\.flaw).first { throw Unkept(seen: flaw) }
            },
            promise("capture times are on the scheduler's clock, and never ahead of it") { run in
                let start = run.time.scheduler.now
                try await run.time.wait(for: "ten outputs") { run.outputs.count >= 10 }
                let ahead = run.time.scheduler.now
                for reading in run.outputs.all {
                    let isNear = reading.captureTime + .seconds(2) > start && reading.captureTime <= ahead
                    try expect(isNear, "captured at \(reading.captureTime), which is far from \(start)…\(ahead)")
                }
            },
            promise("nothing comes after stop, and a second stop does nothing") { [self] run in
                try await run.time.wait(for: "first output") { run.outputs.count >= 1 }
                run.source.stop()
                let count = run.outputs.count
                try await run.time.pass(interval * 5)
                try expect(run.outputs.count == count, "\(run.outputs.count - count) outputs")
                run.source.stop()
            },
            promise("it can be started again after a stop") { [self] run in
                try await run.time.wait(for: "first output") { run.outputs.count >= 1 }
                for _ in 0..<3 {
                    run.source.stop()
                    let count = run.outputs.count
                    try run.source.start(request, sink: run.sink)
                    try await run.time.wait(for: "output after another start") { run.outputs.count > count + 2 }
                }
            },
            promise("a start while it runs changes nothing") { [self] run in
                let second = Record<Bool>()
                try run.source.start(request) { _ in second.add(true) }
                try await run.time.wait(for: "five outputs") { run.outputs.count >= 5 }
                try expect(second.count == 0, "the second sink got \(second.count) outputs")
            },
            Promise("it can be stopped from its own sink") { [self] in
                let (source, time) = try make()
                let count = Record<Bool>()
                try source.start(request) { _ in
                    count.add(true)
                    source.stop()
                }
                try await time.wait(for: "first output") { count.count >= 1 }
                try await time.pass(interval * 5)
                try expect(count.count == 1, "\(count.count) outputs")
            },
        ]
    }

    private struct Run: Sendable {
        let source: Source
        let time: ContractTime
        let outputs: Record<Reading>
        let sink: @Sendable (Source.Output) -> Void
    }

    private func promise(_ sentence: String, _ body: @escaping @Sendable (Run) async throws -> Void) -> Promise {
        Promise(sentence) { [self] in
            let (source, time) = try make()
            let outputs = Record<Reading>()
            let run = Run(source: source, time: time, outputs: outputs, sink: { [read] in outputs.add(read($0)) })
            try source.start(request, sink: run.sink)
            defer { source.stop() }
            try await body(run)
        }
    }
}

extension CapturerContract where Source: VideoSource {
    /// The contract of a video source.
    public static func video(
        request: VideoCaptureRequest, make: @escaping @Sendable () throws -> (Source, ContractTime)
    ) -> CapturerContract {
        CapturerContract(request: request, interval: .seconds(1) / Int64(request.frameRate), make: make) { frame in
            Reading(captureTime: frame.captureTime, duration: .zero, flaw: nil)
        }
    }
}

extension CapturerContract where Source: AudioSource {
    /// The contract of an audio source whose chunks last 20 ms or about that.
    public static func audio(
        format: AudioFormat = .engine(channels: 1), make: @escaping @Sendable () throws -> (Source, ContractTime)
    ) -> CapturerContract {
        CapturerContract(request: format, interval: AudioFrame.duration, make: make) { chunk in
            let duration = chunk.buffer.duration
            let isUsual = (.milliseconds(5)...Interval.milliseconds(60)).contains(duration)
            let flaw = isUsual ? nil : "a chunk of \(duration.milliseconds) ms"
            return Reading(captureTime: chunk.captureTime, duration: duration, flaw: flaw)
        }
    }
}
