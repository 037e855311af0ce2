// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts

enum WebMTrack {
    case video
    case audio
}

/// A WebM file by libavformat: made when opened, then a header, frames and an end.
final class WebMFile {
    private struct Track {
        let index: Int32
        /// Ticks a second of the track's own clock, which the header fixes.
        let timeBase: AVRational
        var lastMilliseconds: Int64 = -1
    }

    private let path: String
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var video: Track?
    private var audio: Track?
    private var packet = av_packet_alloc()

    init(_ path: String) throws(MediaWriterError) {
        _ = quietLibraries
        self.path = path
        try check(avformat_alloc_output_context2(&context, nil, "webm", path))
        try check(avio_open(&context.unsafelyUnwrapped.pointee.pb, path, AVIO_FLAG_WRITE))  // set: no error before
    }

    deinit {
        if let context { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
        av_packet_free(&packet)
    }

    /// Writes the header with the tracks that have something.
    func begin(picture: (width: Int, height: Int)?, channels: Int?) throws(MediaWriterError) {
        var (videoIndex, audioIndex): (Int32?, Int32?)
        if let picture {
            videoIndex = try addTrack { parameters in
                parameters.codec_type = AVMEDIA_TYPE_VIDEO
                parameters.codec_id = AV_CODEC_ID_VP8
                parameters.width = Int32(picture.width)
                parameters.height = Int32(picture.height)
                return true
            }
        }
        if let channels {
            audioIndex = try addTrack { parameters in
                parameters.codec_type = AVMEDIA_TYPE_AUDIO
                parameters.codec_id = AV_CODEC_ID_OPUS
                parameters.sample_rate = Int32(AudioFrame.sampleRate)
                av_channel_layout_default(&parameters.ch_layout, Int32(channels))
                parameters.frame_size = Int32(AudioFrame.samples)
                parameters.initial_padding = Int32(Self.preSkip)
                parameters.seek_preroll = 80 * Int32(AudioFrame.sampleRate) / 1_000  // RFC 7845 section 4.6
                return Self.setOpusHead(&parameters, channels: channels)
            }
        }
        try check(avformat_write_header(context, nil))
        video = videoIndex.flatMap(track)
        audio = audioIndex.flatMap(track)
    }

    /// Adds a frame; a time that does not grow is moved to the next millisecond.
    func write(
        _ bytes: [UInt8], track kind: WebMTrack, milliseconds: Int64, isKeyframe: Bool
    ) throws(MediaWriterError) {
        guard var track = kind == .video ? video : audio, let packet, let size = Int32(exactly: bytes.count) else {
            throw .unsupported(reason: "no such track")
        }
        try check(av_new_packet(packet, size))
        packet.pointee.data.update(from: bytes, count: bytes.count)
        track.lastMilliseconds = max(milliseconds, track.lastMilliseconds + 1)
        let thousandth = AVRational(num: 1, den: 1_000)
        packet.pointee.stream_index = track.index
        packet.pointee.pts = av_rescale_q(track.lastMilliseconds, thousandth, track.timeBase)
        packet.pointee.dts = packet.pointee.pts
        packet.pointee.duration = kind == .audio ? av_rescale_q(20, thousandth, track.timeBase) : 0
        packet.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
        if kind == .video { video = track } else { audio = track }
        try check(av_interleaved_write_frame(context, packet))
    }

    /// Writes the index and the length.
    func finish() throws(MediaWriterError) {
        try check(av_write_trailer(context))
        guard let context else { return }
        try check(avio_closep(&context.pointee.pb))
    }

    /// Samples that a decoder discards at the beginning: libopus's delay at 48 kHz (2.5 ms and its 4 ms of look-ahead).
    private static let preSkip: UInt16 = 312

    private func addTrack(_ describe: (inout AVCodecParameters) -> Bool) throws(MediaWriterError) -> Int32 {
        guard let stream = avformat_new_stream(context, nil), let parameters = stream.pointee.codecpar,
            describe(&parameters.pointee)
        else { throw .cannotWrite(path: path, reason: "out of memory") }
        stream.pointee.time_base = AVRational(num: 1, den: 1_000)
        return stream.pointee.index
    }

    private func track(_ index: Int32) -> Track? {
        context?.pointee.streams[Int(index)].map { Track(index: index, timeBase: $0.pointee.time_base) }
    }

    /// The identification header (RFC 7845 section 5.1), which Matroska keeps as the codec's private data.
    private static func setOpusHead(_ parameters: inout AVCodecParameters, channels: Int) -> Bool {
        var head = Array("OpusHead".utf8)
        head += [1, UInt8(channels), UInt8(truncatingIfNeeded: preSkip), UInt8(preSkip >> 8)]
        head += (0..<4).map { UInt8(truncatingIfNeeded: AudioFrame.sampleRate >> (8 * $0)) }
        head += [0, 0, 0]  // no gain; mapping family 0
        guard let memory = av_mallocz(head.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return false }
        memory.copyMemory(from: head, byteCount: head.count)
        parameters.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.extradata_size = Int32(head.count)
        return true
    }

    private func check(_ result: Int32) throws(MediaWriterError) {
        guard result >= 0 else { throw .cannotWrite(path: path, reason: avWords(result)) }
    }
}
