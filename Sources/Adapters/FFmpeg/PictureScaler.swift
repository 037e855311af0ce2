// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts

/// Turns decoded pictures of any shape into I420 of one size, by libswscale.
final class PictureScaler {
    private let pool: PixelBufferPool
    private var context: OpaquePointer?

    /// nil for a size that no buffer has.
    init?(width: Int, height: Int) {
        guard let pool = PixelBufferPool(width: width, height: height, format: .i420) else { return nil }
        self.pool = pool
    }

    deinit { sws_freeContext(context) }

    /// The picture at this scaler's size; nil when libswscale does not take its format.
    func scale(_ frame: UnsafeMutablePointer<AVFrame>) -> PixelBuffer? {
        let (width, height) = (frame.pointee.width, frame.pointee.height)
        let format = AVPixelFormat(frame.pointee.format)
        context = sws_getCachedContext(
            context, width, height, format, Int32(pool.width), Int32(pool.height), AV_PIX_FMT_YUV420P,
            // Whole chroma input: else an odd width's last column is mixed with what lies beyond it.
            SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nil, nil, nil)
        guard let context else { return nil }
        let matrix = sws_getCoefficients(SWS_CS_ITU601)
        let isFullRange: Int32 = frame.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
        sws_setColorspaceDetails(context, matrix, isFullRange, matrix, 0, 0, 1 << 16, 1 << 16)
        let buffer = pool.make()
        let strides = buffer.planes.map { Int32($0.stride) } + [0]
        let rows = buffer.withPlanes { planes in
            // libswscale looks at four planes whatever the format.
            let targets: [UnsafeMutablePointer<UInt8>?] = planes.indices.map { planes[$0].start } + [nil]
            return withUnsafePointer(to: &frame.pointee.data) { data in
                data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) { sources in
                    withUnsafePointer(to: &frame.pointee.linesize) { lines in
                        lines.withMemoryRebound(to: Int32.self, capacity: 8) {
                            sws_scale(context, sources, $0, 0, height, targets, strides)
                        }
                    }
                }
            }
        }
        return rows == Int32(pool.height) ? buffer : nil
    }
}
