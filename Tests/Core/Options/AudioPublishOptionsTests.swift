// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@testable import RevueCore

struct AudioPublishOptionsTests {
    @Test(arguments: [
        (AudioEncoding.presetSpeech, 24_000), (.presetMusic, 128_000), (.presetMusicHighQuality, 192_000),
    ])
    func `each preset has its documented bitrate and is in range`(preset: AudioEncoding, bitrate: Int) throws {
        #expect(preset.maxBitrate == bitrate)
        try AudioPublishOptions(encoding: preset).validate()
    }

    @Test(arguments: [(5_999, false), (6_000, true), (510_000, true), (510_001, false), (0, false), (-1, false)])
    func `a bitrate is what Opus takes`(bitrate: Int, isInRange: Bool) throws {
        let options = AudioPublishOptions(encoding: AudioEncoding(maxBitrate: bitrate))
        if isInRange {
            try options.validate()
        } else {
            #expect(
                throws: RoomError.invalidParameter(
                    name: "maxBitrate", reason: "must be 6000 to 510000 bits per second")
            ) { try options.validate() }
        }
    }

    @Test func `without an encoding a voice is coded, in mono`() {
        let settings = AudioPublishOptions().encoderSettings(sourceChannels: 2)
        #expect(settings == AudioEncoderSettings(channels: 1, bitrate: 24_000, isMusic: false))
    }

    @Test(arguments: [(1, 1), (2, 2), (6, 2), (0, 1)])
    func `music keeps the channels of its source, up to two`(source: Int, coded: Int) {
        let settings = AudioPublishOptions(encoding: .presetMusic).encoderSettings(sourceChannels: source)
        #expect(settings.channels == coded)
        #expect(settings.bitrate == 128_000)
        #expect(settings.isMusic)
    }
}
