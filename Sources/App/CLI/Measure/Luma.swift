// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// The brightness of a picture, row after row, out of any format that has a plane of it.
struct Luma: Equatable {
    let width: Int
    let height: Int
    /// `width` × `height` values.
    let values: [UInt8]

    /// Values row after row; nil unless there are `width` × `height` of them.
    init?(width: Int, height: Int, values: [UInt8]) {
        guard width > 0, height > 0, values.count == width * height else { return nil }
        self.width = width
        self.height = height
        self.values = values
    }

    /// The first plane of an I420 or NV12 picture; nil for a picture without one.
    init?(_ buffer: PixelBuffer) {
        guard buffer.format != .bgra else { return nil }
        width = buffer.width
        height = buffer.height
        values = buffer.withPlanes { planes in
            [UInt8](unsafeUninitializedCapacity: buffer.width * buffer.height) { target, count in
                for row in 0..<buffer.height {
                    let from = planes[0].row(row)
                    for column in 0..<buffer.width { target[row * buffer.width + column] = from[column] }
                }
                count = buffer.width * buffer.height
            }
        }
    }
}
