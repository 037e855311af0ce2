// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts

/// A VP8 decoder that starts with a keyframe, and after damage waits for the next one.
final class VpxDecoder: VideoDecoder, @unchecked Sendable {
    // SAFETY: the port forbids overlapping calls, and nothing else reaches the state.

    private let maximumPixels: Int
    /// nil until a keyframe comes, and again after damage: libvpx would go on with broken references.
    private var handle: UnsafeMutablePointer<vpx_codec_ctx_t>?
    private var pool: PixelBufferPool?

    init(maximumPixels: Int) { self.maximumPixels = maximumPixels }

    deinit { close() }

    func decode(_ frame: EncodedVideoFrame) throws(CodecError) -> PixelBuffer? {
        guard frame.codec == .vp8 else { throw .notAvailable(codec: "\(frame.codec)") }
        let header = try VP8Header(frame.bytes)
        switch header {
        case .keyframe(let width, let height):
            guard width * height <= maximumPixels else {
                close()
                throw .damagedInput(reason: "a picture of \(width)×\(height) is larger than allowed")
            }
        case .interframe:
            guard handle != nil else { throw .damagedInput(reason: "no keyframe yet: ask for one") }
        }
        let handle = try open()
        let result = frame.bytes.withUnsafeBufferPointer {
            vpx_codec_decode(handle, $0.baseAddress, UInt32($0.count), nil, 0)
        }
        guard result == VPX_CODEC_OK else {
            let words = vpxWords(result, handle)
            close()
            throw .damagedInput(reason: words)
        }
        return try picture(handle)
    }

    private func picture(_ handle: UnsafeMutablePointer<vpx_codec_ctx_t>) throws(CodecError) -> PixelBuffer? {
        var corrupted: Int32 = 0
        _ = vpx_codec_control_VP8D_GET_FRAME_CORRUPTED(
            handle, Int32(VP8D_GET_FRAME_CORRUPTED.rawValue), &corrupted)
        guard corrupted == 0 else {
            close()
            throw .damagedInput(reason: "refers to a picture that is damaged: ask for a keyframe")
        }
        var position: vpx_codec_iter_t?
        guard let image = vpx_codec_get_frame(handle, &position) else { return nil }
        return try copy(image.pointee)
    }

    private func copy(_ image: vpx_image_t) throws(CodecError) -> PixelBuffer {
        let (width, height) = (Int(image.d_w), Int(image.d_h))
        if pool?.width != width || pool?.height != height {
            pool = PixelBufferPool(width: width, height: height, format: .i420)
        }
        guard image.fmt == VPX_IMG_FMT_I420, let buffer = pool?.make(), let y = image.planes.0,
            let u = image.planes.1, let v = image.planes.2
        else { throw .failed(reason: "libvpx gave a picture of \(width)×\(height) in format \(image.fmt.rawValue)") }
        let sources = [(y, Int(image.stride.0)), (u, Int(image.stride.1)), (v, Int(image.stride.2))]
        buffer.withPlanes { planes in
            for (index, source) in sources.enumerated() {
                let plane = planes[index]
                for row in 0..<plane.height {
                    plane.row(row).update(from: source.0 + row * source.1, count: plane.width)
                }
            }
        }
        return buffer
    }

    private func open() throws(CodecError) -> UnsafeMutablePointer<vpx_codec_ctx_t> {
        if let handle { return handle }
        let made = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
        made.initialize(to: vpx_codec_ctx_t())
        var settings = vpx_codec_dec_cfg_t(threads: 1, w: 0, h: 0)
        let result = revue_vpx_decoder_init(made, &settings)
        guard result == VPX_CODEC_OK else {
            let error = vpxFailure(result, made)
            made.deallocate()
            throw error
        }
        handle = made
        return made
    }

    private func close() {
        guard let handle else { return }
        vpx_codec_destroy(handle)
        handle.deallocate()
        self.handle = nil
    }
}

/// What a VP8 frame says of itself before anything is decoded (RFC 6386 section 9.1).
enum VP8Header: Equatable {
    case keyframe(width: Int, height: Int)
    case interframe

    init(_ bytes: [UInt8]) throws(CodecError) {
        guard bytes.count >= 3 else { throw .damagedInput(reason: "\(bytes.count) bytes are no VP8 frame") }
        guard bytes[0] & 1 == 0 else {
            self = .interframe
            return
        }
        guard bytes.count >= 10, bytes[3] == 0x9D, bytes[4] == 0x01, bytes[5] == 0x2A else {
            throw .damagedInput(reason: "a VP8 keyframe without its start code")
        }
        let width = Int(bytes[6]) | Int(bytes[7] & 0x3F) << 8
        let height = Int(bytes[8]) | Int(bytes[9] & 0x3F) << 8
        guard width > 0, height > 0 else { throw .damagedInput(reason: "a VP8 keyframe without a size") }
        self = .keyframe(width: width, height: height)
    }
}
