// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Makes a picture with undefined pixels. Fill it before you hand it to anyone.
///
/// - Parameters:
///   - allocator: nil.
///   - attributes: ignored.
///   - result: nil unless `kCVReturnSuccess` is returned.
/// - Returns: `kCVReturnSuccess`, or why there is no picture.
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ attributes: [String: any Sendable]?, _ result: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    result.pointee = nil
    guard let format = PixelFormat(cvPixelFormatType: pixelFormatType) else { return kCVReturnInvalidPixelFormat }
    result.pointee = PixelBuffer(width: width, height: height, format: format)
    return result.pointee == nil ? kCVReturnInvalidSize : kCVReturnSuccess
}

/// Pixels across.
public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int { buffer.width }

/// Pixels down.
public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int { buffer.height }

/// The four-character code of the picture's format.
public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType { buffer.format.cvPixelFormatType }

/// Whether the picture lies in planes; BGRA does not.
public func CVPixelBufferIsPlanar(_ buffer: CVPixelBuffer) -> Bool { buffer.format != .bgra }

/// The number of planes; 0 when the picture does not lie in planes.
public func CVPixelBufferGetPlaneCount(_ buffer: CVPixelBuffer) -> Int {
    CVPixelBufferIsPlanar(buffer) ? buffer.planes.count : 0
}

/// Makes the pixels accessible. They always are; nothing happens.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    kCVReturnSuccess
}

/// Ends an access. Nothing happens.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    kCVReturnSuccess
}

/// The first byte of the pixels, or of the first plane. Valid while the buffer is held; write only before it is shared.
public func CVPixelBufferGetBaseAddress(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(buffer.unscopedAddress(ofPlane: 0))
}

/// Bytes from one row to the next, in the first plane where there are several.
public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int { buffer.planes.first?.stride ?? 0 }

/// Bytes of all planes together.
public func CVPixelBufferGetDataSize(_ buffer: CVPixelBuffer) -> Int {
    buffer.planes.reduce(0) { $0 + $1.stride * $1.height }
}

/// The first byte of a plane; nil when there is no such plane. The same rule as for `CVPixelBufferGetBaseAddress`.
public func CVPixelBufferGetBaseAddressOfPlane(_ buffer: CVPixelBuffer, _ index: Int) -> UnsafeMutableRawPointer? {
    plane(index, of: buffer) == nil ? nil : UnsafeMutableRawPointer(buffer.unscopedAddress(ofPlane: index))
}

/// Bytes from one row of a plane to the next; 0 when there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ buffer: CVPixelBuffer, _ index: Int) -> Int {
    plane(index, of: buffer)?.stride ?? 0
}

/// Samples across a plane, pairs of samples in the second plane of NV12; 0 when there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ buffer: CVPixelBuffer, _ index: Int) -> Int {
    plane(index, of: buffer)?.width ?? 0
}

/// Rows of a plane; 0 when there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ buffer: CVPixelBuffer, _ index: Int) -> Int {
    plane(index, of: buffer)?.height ?? 0
}

private func plane(_ index: Int, of buffer: CVPixelBuffer) -> PixelBuffer.Plane? {
    guard CVPixelBufferIsPlanar(buffer), buffer.planes.indices.contains(index) else { return nil }
    return buffer.planes[index]
}
