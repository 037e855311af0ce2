// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueContracts
import RevueOpus
import RevuePorts
import RevueVpx
import RevueYuv
import Testing

/// The codecs and the converter on the system's libraries keep what their ports promise.
@Suite struct CodecContractTests {
    static let vpx = VideoCodecContract(codec: .vp8) { VpxCodecFactory() }
    @Test(arguments: vpx.promises)
    func `libvpx`(keeps promise: Promise) async throws { try await promise.check() }

    static let opus = AudioCodecContract { OpusCodecFactory() }
    @Test(arguments: opus.promises)
    func `libopus`(keeps promise: Promise) async throws { try await promise.check() }

    static let yuv = PixelConverterContract { YuvConverter() }
    @Test(arguments: yuv.promises)
    func `libyuv`(keeps promise: Promise) async throws { try await promise.check() }
}
