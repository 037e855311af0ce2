// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@testable import RevueCore

struct AVAudioTests {
    @Test func `the standard format is floats, channel after channel`() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        #expect(format.sampleRate == 48_000)
        #expect(format.channelCount == 2)
        #expect(!format.isInterleaved)
        #expect(format.commonFormat == .pcmFormatFloat32)
        #expect(format == AVAudioFormat(AudioFormat(sampleRate: 48_000, channelCount: 2, isInterleaved: false)))
    }

    @Test(arguments: [AVAudioCommonFormat.otherFormat, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32])
    func `only 32-bit floats are carried`(common: AVAudioCommonFormat) {
        #expect(AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 1, interleaved: true) == nil)
    }

    @Test(arguments: [(0.0, AVAudioChannelCount(1)), (-1, 1), (48_000, 0), (.nan, 1)])
    func `a format has a rate and a channel`(rate: Double, channels: AVAudioChannelCount) {
        #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) == nil)
    }

    @Test func `a new buffer counts no samples, and never more than fit`() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480))
        #expect(buffer.frameCapacity == 480)
        #expect(buffer.frameLength == 0)
        buffer.frameLength = 481
        #expect(buffer.frameLength == 480)
    }

    @Test(arguments: [false, true])
    func `what is written into the channels is the sound`(interleaved: Bool) throws {
        let format = try #require(
            AVAudioFormat(
                commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: interleaved))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
        #expect(buffer.stride == (interleaved ? 2 : 1))
        let channels = try #require(buffer.floatChannelData)
        for frame in 0..<3 {
            channels[0][frame * buffer.stride] = Float(frame)
            channels[1][frame * buffer.stride] = Float(10 + frame)
        }
        buffer.frameLength = 3
        #expect(buffer.audioBuffer.interleaved == [0, 10, 1, 11, 2, 12])
        let same = AVAudioPCMBuffer(buffer.audioBuffer)
        withExtendedLifetime(same) { #expect(same.floatChannelData?[1] == channels[1]) }
    }

    @Test func `a format that no buffer has makes none`() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 9))
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480) == nil)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        #expect(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: .max) == nil)
    }
}
