// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import Foundation
public import RevuePorts

/// Single pictures as files.
public enum StillImage {
    /// Writes a picture as a PNG file, over one that is there.
    ///
    /// - Throws: `MediaWriterError.cannotWrite`.
    public static func writePNG(_ buffer: PixelBuffer, to path: String) throws(MediaWriterError) {
        _ = quietLibraries
        var frame = av_frame_alloc()
        defer { av_frame_free(&frame) }
        guard let frame, paint(buffer, frame), let bytes = encode(frame) else {
            throw .cannotWrite(path: path, reason: "the picture cannot be coded as PNG")
        }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: error.localizedDescription)
        }
    }

    private static func paint(_ buffer: PixelBuffer, _ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        let (width, height) = (Int32(buffer.width), Int32(buffer.height))
        frame.pointee.width = width
        frame.pointee.height = height
        frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
        guard av_frame_get_buffer(frame, 0) >= 0 else { return false }
        let format =
            switch buffer.format {
            case .i420: AV_PIX_FMT_YUV420P
            case .nv12, .nv12FullRange: AV_PIX_FMT_NV12
            case .bgra: AV_PIX_FMT_BGRA
            }
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
        guard
            let context = sws_getContext(
                width, height, format, width, height, AV_PIX_FMT_RGB24, flags, nil, nil, nil)
        else { return false }
        defer { sws_freeContext(context) }
        let matrix = sws_getCoefficients(SWS_CS_ITU601)
        sws_setColorspaceDetails(
            context, matrix, buffer.format == .nv12FullRange ? 1 : 0, matrix, 1, 0, 1 << 16, 1 << 16)
        let strides = buffer.planes.map { Int32($0.stride) }
        let targets = [frame.pointee.data.0, nil, nil, nil]
        let lines: [Int32] = [frame.pointee.linesize.0, 0, 0, 0]
        return buffer.withPlanes { planes in
            let sources: [UnsafePointer<UInt8>?] = planes.indices.map { UnsafePointer(planes[$0].start) }
            // libswscale looks at four planes whatever the format.
            return sws_scale(
                context, sources + [UnsafePointer<UInt8>?](repeating: nil, count: 4 - sources.count),
                strides + [Int32](repeating: 0, count: 4 - strides.count), 0, height, targets, lines) == height
        }
    }

    private static func encode(_ frame: UnsafeMutablePointer<AVFrame>) -> [UInt8]? {
        var context = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_PNG))
        var packet = av_packet_alloc()
        defer {
            av_packet_free(&packet)
            avcodec_free_context(&context)
        }
        context?.pointee.width = frame.pointee.width
        context?.pointee.height = frame.pointee.height
        context?.pointee.pix_fmt = AV_PIX_FMT_RGB24
        context?.pointee.time_base = AVRational(num: 1, den: 1)
        guard avcodec_open2(context, nil, nil) >= 0, avcodec_send_frame(context, frame) >= 0,
            avcodec_receive_packet(context, packet) >= 0, let packet
        else { return nil }
        return [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
}
