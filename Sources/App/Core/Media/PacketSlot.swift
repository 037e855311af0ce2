// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// Memory for one packet, made once and used for every packet of a stream.
final class PacketSlot: @unchecked Sendable {
    // SAFETY: whoever owns the slot keeps it behind the lock of the stream that writes into it.

    /// The memory, for the duration of a call that its owner is busy with: an address does not keep the slot alive, the
    /// owner, which holds it in a constant, does.
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int = 1_200) { bytes = .allocate(byteCount: byteCount, alignment: 8) }
    deinit { bytes.deallocate() }

    /// The first bytes, to be read on the same terms.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[0..<count]) }
}

extension NTPTime {
    private static let from1900To1970 = UInt64(2_208_988_800) << 32

    /// The NTP timestamp of a wall clock that counts from 1970.
    static func at(unixNanoseconds: Int64) -> UInt64 {
        advanced(from1900To1970, by: Interval(nanoseconds: unixNanoseconds))
    }
}
