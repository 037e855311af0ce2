// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts

/// Turns decoded sound of any kind into interleaved floats of one rate and number of channels, by libswresample.
final class SampleConverter {
    private let rate: Int32
    private let channels: Int32
    private var context: OpaquePointer?
    private var source: (rate: Int32, channels: Int32, format: Int32) = (0, 0, 0)

    init(rate: Int, channels: Int) {
        self.rate = Int32(rate)
        self.channels = Int32(channels)
    }

    deinit { swr_free(&context) }

    /// A frame's sound, and what earlier frames left in the filter; nil when the kind is not supported.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>) -> [Float]? {
        let kind = (frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels, frame.pointee.format)
        var result: [Float] = []
        if context == nil || kind != source {
            result = flush()
            guard open(frame) else { return nil }
            source = kind
        }
        guard let data = frame.pointee.extended_data else { return nil }
        let planes = Int(max(1, frame.pointee.ch_layout.nb_channels))
        return data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: planes) {
            run($0, frame.pointee.nb_samples).map { result + $0 }
        }
    }

    /// What the filter still holds; the next frame starts anew.
    func flush() -> [Float] {
        guard context != nil else { return [] }
        defer { swr_free(&context) }
        return run(nil, 0) ?? []
    }

    private func run(_ planes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32) -> [Float]? {
        let room = max(0, swr_get_out_samples(context, count))
        var made: Int32 = 0
        let samples = [Float](unsafeUninitializedCapacity: Int(room * channels)) { buffer, used in
            var target = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            made = swr_convert(context, &target, room, planes, count)
            used = Int(max(0, made) * channels)
        }
        return made >= 0 ? samples : nil
    }

    private func open(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        var (target, layout) = (AVChannelLayout(), AVChannelLayout())
        defer {
            av_channel_layout_uninit(&target)
            av_channel_layout_uninit(&layout)
        }
        av_channel_layout_default(&target, channels)
        guard av_channel_layout_copy(&layout, &frame.pointee.ch_layout) >= 0 else { return false }
        if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&layout, layout.nb_channels) }
        let result = swr_alloc_set_opts2(
            &context, &target, AV_SAMPLE_FMT_FLT, rate, &layout, AVSampleFormat(frame.pointee.format),
            frame.pointee.sample_rate, 0, nil)
        return result >= 0 && swr_init(context) >= 0
    }
}
