// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// What every pixel converter promises.
///
/// ```swift
/// PixelConverterContract { MyConverter() }.promises
/// ```
public struct PixelConverterContract: Contract {
    private let make: @Sendable () -> any PixelConverter
    private static let sizes = [(64, 48), (63, 47), (16, 16)]

    /// The contract of the converters that `make` gives.
    public init(make: @escaping @Sendable () -> any PixelConverter) { self.make = make }

    /// All promises.
    public var promises: [Promise] { formats + shapes }

    private var formats: [Promise] {
        [
            Promise("each format becomes each other, and the colours survive the way there and back") { [self] in
                let converter = make()
                for (width, height) in PixelConverterContract.sizes {
                    let original = try Quarters.plain.buffer(width: width, height: height)
                    for first in PixelFormat.allCases {
                        let step = try converter.convert(original, to: first)
                        try expect(
                            step.format == first && step.width == width && step.height == height, "\(step.format)")
                        for second in PixelFormat.allCases {
                            let back = try converter.convert(try converter.convert(step, to: second), to: .i420)
                            try compare(back, Quarters.plain, within: 4, "\(first) → \(second)")
                        }
                    }
                }
            },
            Promise("grey, red, green and blue have BT.601's values") { [self] in
                let colours: [(bgra: [UInt8], yuv: [Int])] = [
                    ([0, 0, 0, 255], [16, 128, 128]), ([255, 255, 255, 255], [235, 128, 128]),
                    ([0, 0, 255, 255], [82, 90, 240]), ([0, 255, 0, 255], [145, 54, 34]),
                    ([255, 0, 0, 255], [41, 240, 110]),
                ]
                for colour in colours {
                    guard let picture = PixelBuffer(width: 16, height: 16, format: .bgra) else { return }
                    picture.withPlanes { planes in
                        for index in planes[0].bytes.indices { planes[0].bytes[index] = colour.bgra[index % 4] }
                    }
                    let yuv = try make().convert(picture, to: .i420)
                    let seen = (0..<3).map { firstByte(yuv, plane: $0) }
                    let apart = zip(seen, colour.yuv).map { abs($0 - $1) }.max() ?? 0
                    try expect(apart <= 2, "\(colour.bgra) became \(seen) instead of \(colour.yuv)")
                    let back = try make().convert(yuv, to: .bgra)
                    let pixel = back.withPlanes { Array($0[0].bytes[0..<4]) }
                    let difference = zip(pixel, colour.bgra).map { abs(Int($0) - Int($1)) }.max() ?? 0
                    try expect(difference <= 6, "\(colour.bgra) came back as \(pixel)")
                }
            },
            Promise("video range and full range are told apart") { [self] in
                guard let video = PixelBuffer(width: 16, height: 16, format: .nv12) else { return }
                for (value, wanted) in [(16, 0), (235, 255), (126, 128)] {
                    video.withPlanes { planes in
                        planes[0].bytes.update(repeating: UInt8(value))
                        planes[1].bytes.update(repeating: 128)
                    }
                    let full = try make().convert(video, to: .nv12FullRange)
                    let seen = firstByte(full, plane: 0)
                    try expect(abs(seen - wanted) <= 1, "\(value) became \(seen) instead of \(wanted)")
                }
            },
            Promise("the original is left as it was") { [self] in
                let original = try Quarters.plain.buffer(width: 64, height: 48)
                let before = Quarters.read(original)
                _ = try make().convert(original, to: .bgra)
                _ = try make().scale(original, width: 10, height: 10)
                _ = try make().rotate(original, degrees: 90)
                try expect(Quarters.read(original) == before, "it changed")
            },
        ]
    }

    private var shapes: [Promise] {
        [
            Promise("a scaled picture has the size asked for and looks the same, as I420") { [self] in
                for (width, height) in PixelConverterContract.sizes {
                    for format in PixelFormat.allCases {
                        let picture = try make().convert(
                            try Quarters.plain.buffer(width: width, height: height), to: format)
                        for (newWidth, newHeight) in [(32, 24), (128, 96), (61, 33), (width, height)] {
                            let scaled = try make().scale(picture, width: newWidth, height: newHeight)
                            let size = "\(scaled.width)×\(scaled.height)"
                            try expect(scaled.width == newWidth && scaled.height == newHeight, size)
                            try expect(scaled.format == .i420, "\(scaled.format)")
                            try compare(scaled, Quarters.plain, within: 6, "\(format) to \(newWidth)×\(newHeight)")
                        }
                    }
                }
            },
            Promise("a picture turns clockwise, as I420") { [self] in
                let turns: [(degrees: Int, order: [Int])] = [
                    (0, [0, 1, 2, 3]), (90, [2, 0, 3, 1]), (180, [3, 2, 1, 0]), (270, [1, 3, 0, 2]),
                ]
                for (width, height) in [(64, 48), (62, 46)] {
                    let picture = try Quarters.plain.buffer(width: width, height: height)
                    for turn in turns {
                        let turned = try make().rotate(picture, degrees: turn.degrees)
                        let isUpright = turn.degrees % 180 == 0
                        try expect(turned.width == (isUpright ? width : height), "\(turned.width) across")
                        try expect(turned.height == (isUpright ? height : width), "\(turned.height) down")
                        var wanted = Quarters.plain
                        wanted.luma = turn.order.map { Quarters.plain.luma[$0] }
                        try compare(turned, wanted, within: 2, "\(turn.degrees)°")
                    }
                }
            },
            Promise("other angles and sizes that no picture has are refused") { [self] in
                let picture = try Quarters.plain.buffer(width: 64, height: 48)
                for degrees in [-90, 45, 360] {
                    try expectError("\(degrees)°") { () throws(CodecError) in
                        try make().rotate(picture, degrees: degrees)
                    } where: {
                        if case .invalidSetting = $0 { true } else { false }
                    }
                }
                for (width, height) in [(0, 10), (10, -1), (PixelBuffer.maximumSide + 1, 10)] {
                    try expectError("\(width)×\(height)") { () throws(CodecError) in
                        try make().scale(picture, width: width, height: height)
                    } where: {
                        switch $0 {
                        case .invalidSetting, .unsupportedInput: true
                        default: false
                        }
                    }
                }
            },
        ]
    }

    private func compare(_ buffer: PixelBuffer, _ wanted: Quarters, within limit: Int, _ what: String) throws(Unkept) {
        guard let seen = Quarters.read(buffer) else { throw Unkept(seen: "\(what): format \(buffer.format)") }
        try expect(seen.distance(to: wanted) <= limit, "\(what): \(seen) instead of \(wanted)")
    }
}

private func firstByte(_ buffer: PixelBuffer, plane: Int) -> Int {
    buffer.withPlanes { Int($0[plane].start[0]) }
}
