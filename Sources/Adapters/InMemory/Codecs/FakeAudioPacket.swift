// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// What a fake audio packet holds.
///
/// `F` `A`, channels, main samples a channel, redundant samples a channel (2 bytes each), checksum (4 bytes), the main
/// and the redundant samples in µ-law, padding up to the budget. Big-endian.
struct FakeAudioPacket {
    static let maximumBytes = 1_275
    private static let headerBytes = 11
    private static let checksumAt = 7
    /// Divisors of 960: samples a channel that a frame can be cut down to.
    private static let sizes = [
        960, 480, 320, 240, 192, 160, 120, 96, 80, 64, 60, 48, 40, 32, 30, 24, 20, 16, 12, 8, 4,
    ]

    let channels: Int
    let bytes: [UInt8]
    let main: ArraySlice<UInt8>
    let redundant: ArraySlice<UInt8>

    init(frame: [Float], before: [Float]?, channels: Int, budget: Int) {
        let room = max(0, budget - FakeAudioPacket.headerBytes)
        let redundantSize = before == nil ? 0 : FakeAudioPacket.size(fitting: room / 4 / channels)
        let mainSize = FakeAudioPacket.size(fitting: (room - redundantSize * channels) / channels)
        var bytes: [UInt8] = [0x46, 0x41, UInt8(channels)]
        for size in [mainSize, redundantSize] { bytes += [UInt8(size >> 8), UInt8(size & 255)] }
        bytes += [0, 0, 0, 0]
        FakeAudioPacket.append(frame, size: mainSize, channels: channels, to: &bytes)
        if let before { FakeAudioPacket.append(before, size: redundantSize, channels: channels, to: &bytes) }
        while bytes.count < budget { bytes.append(0x55) }
        let sum = FakeAudioPacket.checksum(bytes)
        for index in 0..<4 {
            bytes[FakeAudioPacket.checksumAt + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index))
        }
        let (start, middle) = (FakeAudioPacket.headerBytes, FakeAudioPacket.headerBytes + mainSize * channels)
        self.channels = channels
        self.bytes = bytes
        main = bytes[start..<middle]
        redundant = bytes[middle..<middle + redundantSize * channels]
    }

    /// The packet in these bytes, unless they are damaged.
    init?(_ bytes: [UInt8]) {
        guard (FakeAudioPacket.headerBytes...FakeAudioPacket.maximumBytes).contains(bytes.count), bytes[0] == 0x46,
            bytes[1] == 0x41, (1...2).contains(bytes[2])
        else { return nil }
        func number(at offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(at: FakeAudioPacket.checksumAt, 4) == Int(FakeAudioPacket.checksum(bytes)) else { return nil }
        let (channels, mainSize, redundantSize) = (Int(bytes[2]), number(at: 3, 2), number(at: 5, 2))
        let (start, middle) = (FakeAudioPacket.headerBytes, FakeAudioPacket.headerBytes + mainSize * channels)
        guard FakeAudioPacket.sizes.contains(mainSize),
            redundantSize == 0 || FakeAudioPacket.sizes.contains(redundantSize),
            middle + redundantSize * channels <= bytes.count
        else { return nil }
        self.channels = channels
        self.bytes = bytes
        main = bytes[start..<middle]
        redundant = bytes[middle..<middle + redundantSize * channels]
    }

    /// 960 samples a channel from coded ones, by straight lines between them.
    static func samples(_ coded: ArraySlice<UInt8>, from source: Int, to target: Int) -> [Float] {
        let size = coded.count / source
        let step = AudioFrame.samples / size
        let start = coded.startIndex
        func value(_ index: Int, _ channel: Int) -> Float {
            MuLaw.decode(coded[start + min(index, size - 1) * source + channel])
        }
        var result: [Float] = []
        result.reserveCapacity(AudioFrame.samples * target)
        for position in 0..<AudioFrame.samples {
            let (index, fraction) = (position / step, Float(position % step) / Float(step))
            for channel in 0..<target {
                let channels = source > target ? Array(0..<source) : [min(channel, source - 1)]
                var sum: Float = 0
                for channel in channels {
                    sum += value(index, channel) * (1 - fraction) + value(index + 1, channel) * fraction
                }
                result.append(sum / Float(channels.count))
            }
        }
        return result
    }

    private static func size(fitting room: Int) -> Int { sizes.first { $0 <= room } ?? 4 }

    private static func append(_ frame: [Float], size: Int, channels: Int, to bytes: inout [UInt8]) {
        let step = AudioFrame.samples / size
        for index in 0..<size {
            for channel in 0..<channels { bytes.append(MuLaw.encode(frame[index * step * channels + channel])) }
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0x811C_9DC5
        for (index, byte) in bytes.enumerated() where !(checksumAt..<checksumAt + 4 ~= index) {
            sum = (sum ^ UInt32(byte)) &* 0x0100_0193
        }
        return sum
    }
}

/// ITU-T G.711 µ-law.
enum MuLaw {
    private static let bias = 0x84

    static func encode(_ sample: Float) -> UInt8 {
        let clamped = sample.isNaN ? 0 : min(max(sample, -1), 1)
        let magnitude = min(Int(abs(clamped) * 32_767), 32_635) + bias
        let exponent = Int.bitWidth - 1 - magnitude.leadingZeroBitCount - 7
        let mantissa = magnitude >> (exponent + 3) & 0x0F
        return ~(UInt8(clamped < 0 ? 0x80 : 0) | UInt8(exponent << 4) | UInt8(mantissa))
    }

    static func decode(_ code: UInt8) -> Float {
        let bits = ~code
        let exponent = Int(bits >> 4 & 7)
        let magnitude = ((Int(bits & 0x0F) << 3) + bias) << exponent - bias
        return Float(bits & 0x80 == 0 ? magnitude : -magnitude) / 32_767
    }
}
