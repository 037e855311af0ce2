// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Changes a picture's format and size.
public protocol PixelConverter: Sendable {
    /// The picture in another format, at its own size.
    func convert(_ buffer: PixelBuffer, to format: PixelFormat) throws(CodecError) -> PixelBuffer
    /// The picture at another size, as I420.
    func scale(_ buffer: PixelBuffer, width: Int, height: Int) throws(CodecError) -> PixelBuffer
    /// The picture turned clockwise by 0, 90, 180 or 270 degrees, as I420.
    func rotate(_ buffer: PixelBuffer, degrees: Int) throws(CodecError) -> PixelBuffer
}
