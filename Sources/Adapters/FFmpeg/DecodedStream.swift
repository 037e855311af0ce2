// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts
import RevueTime

/// One stream of a media file, decoded from beginning to end. One thread at a time.
final class DecodedStream {
    enum Kind: String {
        case video
        case audio

        fileprivate var type: AVMediaType { self == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO }
    }

    let path: String
    private let kind: Kind
    /// How long the whole file plays, by its header; nil when it does not say.
    let fileDuration: Interval?
    /// How long a frame lasts when it does not say so itself.
    let frameDuration: Interval

    private var input: UnsafeMutablePointer<AVFormatContext>?
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private let stream: UnsafeMutablePointer<AVStream>
    /// The file's first timestamp, in the stream's time base: positions count from there.
    private let origin: Int64
    private var isDraining = false

    /// Opens a file and finds its best stream of a kind.
    ///
    /// - Throws: `.notFound` without the file, `.unreadable` for no media file or no such stream in it.
    init(_ path: String, _ kind: Kind) throws(CaptureError) {
        _ = quietLibraries
        self.path = path
        self.kind = kind
        let (input, stream, codec) = try Self.find(path, kind)
        self.input = input
        self.stream = stream
        let file = input.pointee
        let base = stream.pointee.time_base
        fileDuration = file.duration > 0 ? .microseconds(file.duration) : nil
        let rate = stream.pointee.avg_frame_rate
        frameDuration = rate.num > 0 && rate.den > 0 ? .seconds(Double(rate.den) / Double(rate.num)) : .zero
        // What lies before 0 is there to be decoded and thrown away.
        origin =
            file.start_time == revue_av_no_time
            ? 0 : av_rescale_q(max(0, file.start_time), AVRational(num: 1, den: 1_000_000), base)
        // From here on all is set, so that `deinit` frees what an error leaves behind.
        let decoder = avcodec_alloc_context3(codec)
        self.decoder = decoder
        packet = av_packet_alloc()
        frame = av_frame_alloc()
        decoder?.pointee.thread_count = 1
        var result = avcodec_parameters_to_context(decoder, stream.pointee.codecpar)
        decoder?.pointee.pkt_timebase = base
        if result >= 0 { result = avcodec_open2(decoder, codec, nil) }
        guard result >= 0 else { throw .file(path, result) }
    }

    deinit {
        av_frame_free(&frame)
        av_packet_free(&packet)
        avcodec_free_context(&decoder)
        avformat_close_input(&input)
    }

    /// The next frame and where it stands in the file; valid until the next call. nil at the end.
    ///
    /// - Throws: `.unreadable` where the stream is damaged.
    func next() throws(CaptureError) -> (frame: UnsafeMutablePointer<AVFrame>, position: Interval)? {
        while true {
            let result = avcodec_receive_frame(decoder, frame)
            if result >= 0, let frame { return (frame, position(frame.pointee)) }
            if result == revue_av_error_end { return nil }
            guard result == revue_av_error_again else { throw .file(path, result) }
            try feed()
        }
    }

    /// The same stream from its beginning.
    ///
    /// Seeking there would not do: libavformat then leaves in what the beginning of a file tells it to skip.
    func reopened() throws(CaptureError) -> DecodedStream { try DecodedStream(path, kind) }

    private func feed() throws(CaptureError) {
        guard !isDraining else { throw .unreadable(name: path, reason: "the decoder wants more than there is") }
        while true {
            let read = av_read_frame(input, packet)
            guard read >= 0 else {
                guard read == revue_av_error_end else { throw .file(path, read) }
                isDraining = true
                let result = avcodec_send_packet(decoder, nil)
                guard result >= 0 else { throw .file(path, result) }
                return
            }
            defer { av_packet_unref(packet) }
            guard packet?.pointee.stream_index == stream.pointee.index else { continue }
            let result = avcodec_send_packet(decoder, packet)
            guard result >= 0 else { throw .file(path, result) }
            return
        }
    }

    private func position(_ frame: AVFrame) -> Interval {
        let time = frame.best_effort_timestamp
        guard time != revue_av_no_time else { return .zero }
        let nanoseconds = AVRational(num: 1, den: 1_000_000_000)
        return Interval(nanoseconds: av_rescale_q(time &- origin, stream.pointee.time_base, nanoseconds))
    }

    private typealias Found = (
        UnsafeMutablePointer<AVFormatContext>, UnsafeMutablePointer<AVStream>, UnsafePointer<AVCodec>
    )

    private static func find(_ path: String, _ kind: Kind) throws(CaptureError) -> Found {
        var input: UnsafeMutablePointer<AVFormatContext>?
        var result = avformat_open_input(&input, path, nil, nil)
        guard result >= 0 else { throw .file(path, result) }
        result = avformat_find_stream_info(input, nil)
        var codec: UnsafePointer<AVCodec>?
        if result >= 0 { result = av_find_best_stream(input, kind.type, -1, -1, &codec, 0) }
        guard result >= 0, let found = input, let stream = found.pointee.streams[Int(result)], let codec else {
            avformat_close_input(&input)
            throw .unreadable(name: path, reason: "no \(kind.rawValue) in it that can be decoded")
        }
        return (found, stream, codec)
    }
}
