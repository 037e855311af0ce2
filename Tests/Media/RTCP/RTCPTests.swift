// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct RTCPTests {
    static let info = SenderInfo(ntp: 0x0102_0304_0506_0708, timestamp: 9, packetCount: 10, octetCount: .max)
    static func block(_ ssrc: UInt32, lost: Int32 = -5) -> ReportBlock {
        var block = ReportBlock(
            ssrc: ssrc, fractionLost: 128, cumulativeLost: lost, highestSequence: 0x0001_FFFF, jitter: 77)
        block.lastSenderReport = 3
        block.delaySinceLastSenderReport = 4
        return block
    }

    @Test func `a compound of every packet survives writing and reading`() throws {
        let keepAlive = KeepAlive(counter: 1, sentAt: .max, echo: 3, heldFor: 4)
        let fir = [FullIntraEntry(media: 6, commandSequence: 255), FullIntraEntry(media: 7, commandSequence: 0)]
        let compound = try #require(
            written { slot in
                guard var writer = RTCPWriter(into: slot, ssrc: 5, info: Self.info, reports: [Self.block(1)]) else {
                    return nil
                }
                let fits = [
                    writer.appendPictureLossIndication(media: 6), writer.appendFullIntraRequest(fir),
                    writer.append(keepAlive), writer.appendGoodbye(),
                ]
                let named = writer.appendGenericNACK(media: 6, missing: [65_534, 65_536])
                return fits.contains(false) || named != 2 ? nil : writer.count
            })
        #expect(
            try packets(of: compound) == [
                .senderReport(ssrc: 5, Self.info, [Self.block(1)]), .pictureLossIndication(sender: 5, media: 6),
                .fullIntraRequest(sender: 5, fir), .application(ssrc: 5, keepAlive), .bye([5]),
                .genericNACK(sender: 5, media: 6, [65_534, 0]),
            ])
    }

    @Test func `a compound starts with a report, an empty one if need be`() throws {
        let compound = try #require(written { RTCPWriter(into: $0, ssrc: 5)?.count })
        #expect(compound == [0x80, 201, 0, 1, 0, 0, 0, 5])
        #expect(try packets(of: compound) == [.receiverReport(ssrc: 5, [])])
    }

    @Test func `a keep-alive has the documented bytes`() throws {
        let keepAlive = KeepAlive(counter: 1, sentAt: 2, echo: 3, heldFor: 4)
        let compound = try #require(
            written { slot in
                var writer = RTCPWriter(into: slot, ssrc: 5)
                return writer?.append(keepAlive) == true ? writer?.count : nil
            })
        let application: [UInt8] =
            [0x80, 204, 0, 8, 0, 0, 0, 5] + Array("RVKA".utf8)
            + [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4]
        #expect(Array(compound[8...]) == application)
    }

    @Test(arguments: [Int32(0), -1, 0x7F_FFFF, -0x80_0000])
    func `the 24 bits of cumulative loss are signed`(lost: Int32) throws {
        let compound = try #require(
            written { RTCPWriter(into: $0, ssrc: 5, reports: [Self.block(1, lost: lost)])?.count })
        #expect(try packets(of: compound) == [.receiverReport(ssrc: 5, [Self.block(1, lost: lost)])])
    }

    @Test func `what does not fit is left out and the compound stays whole`() throws {
        for capacity in 0..<120 {
            let compound = written(capacity: capacity) { slot in
                var writer = RTCPWriter(into: slot, ssrc: 5, reports: [Self.block(1), Self.block(2)])
                _ = writer?.appendGenericNACK(media: 6, missing: Array(0..<40))
                _ = writer?.append(KeepAlive(counter: 1, sentAt: 2, echo: 3, heldFor: 4))
                _ = writer?.appendPictureLossIndication(media: 6)
                return writer?.count
            }
            guard let compound else {
                #expect(capacity < 8)
                continue
            }
            #expect(!(try packets(of: compound)).isEmpty)
        }
    }

    @Test func `at most 31 reports go into a compound`() throws {
        let reports = (0..<40).map { Self.block(UInt32($0)) }
        let compound = try #require(written { RTCPWriter(into: $0, ssrc: 5, reports: reports)?.count })
        #expect(try packets(of: compound) == [.receiverReport(ssrc: 5, Array(reports.prefix(31)))])
    }

    @Test func `unknown packets are skipped and named`() throws {
        let unknown: [[UInt8]] = [
            [0x80, 202, 0, 1, 0, 0, 0, 5], [0x80, 204, 0, 2, 0, 0, 0, 5, 65, 66, 67, 68],
            [0x8F, 205, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6], [0x8F, 206, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6],
        ]
        let read = try packets(of: unknown.flatMap { $0 } + [0x80, 201, 0, 1, 0, 0, 0, 5])
        #expect(
            read == [
                .unknown(packetType: 202), .unknown(packetType: 204), .unknown(packetType: 205),
                .unknown(packetType: 206), .receiverReport(ssrc: 5, []),
            ])
    }

    @Test func `padding counts only at the end of the last packet`() throws {
        let padded: [UInt8] = [0xA0, 201, 0, 2, 0, 0, 0, 5, 0, 0, 0, 4]
        #expect(try packets(of: padded) == [.receiverReport(ssrc: 5, [])])
        #expect(throws: RTCPParseError.malformedPadding) { try packets(of: padded + padded) }
        for wrong: UInt8 in [0, 3, 12, 255] {
            #expect(throws: RTCPParseError.malformedPadding) { try packets(of: Array(padded.dropLast()) + [wrong]) }
        }
    }

    @Test func `after an error there is nothing more`() {
        let bytes: [UInt8] = [0x80, 201, 0, 9, 0, 0, 0, 5]
        bytes.withUnsafeBytes { bytes in
            var reader = RTCPReader(bytes)
            var error: RTCPParseError?
            do throws(RTCPParseError) { _ = try reader.next() } catch let thrown { error = thrown }
            #expect(error == .truncated)
            let after = try? reader.next()
            #expect(after == .some(nil))
        }
    }
}

@Suite struct GenericNACKTests {
    static func roundTrip(_ missing: [Int64]) throws -> (count: Int, read: [UInt16]) {
        var count = 0
        let compound = try #require(
            written(capacity: 8_192) { slot in
                guard var writer = RTCPWriter(into: slot, ssrc: 1) else { return nil }
                count = writer.appendGenericNACK(media: 2, missing: missing)
                return writer.count
            })
        guard case .genericNACK(sender: 1, media: 2, let read) = try packets(of: compound).last else {
            Issue.record("no NACK in the compound")
            return (count, [])
        }
        return (count, read)
    }

    @Test func `packet ids and bitmaps name exactly what is missing, over the wrap too`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let start = Int64.random(in: 65_000...66_000, using: &generator)
            var missing: [Int64] = []
            for offset in Int64(0)..<120 where Int.random(in: 0..<3, using: &generator) == 0 {
                missing.append(start + offset)
            }
            guard !missing.isEmpty else { continue }
            let (count, read) = try Self.roundTrip(missing)
            #expect(count == missing.count)
            #expect(read == missing.map { UInt16(truncatingIfNeeded: $0) })
        }
    }

    @Test(arguments: [Int64(1), 15, 16, 17, 18])
    func `the seventeenth packet after the first starts an entry of its own`(distance: Int64) throws {
        var length = 0
        let compound = try #require(
            written { slot in
                guard var writer = RTCPWriter(into: slot, ssrc: 1) else { return nil }
                _ = writer.appendGenericNACK(media: 2, missing: [100, 100 + distance])
                length = writer.count - 8
                return writer.count
            })
        #expect(length == (distance <= 16 ? 16 : 20))
        #expect(try packets(of: compound).last == .genericNACK(sender: 1, media: 2, [100, 100 + UInt16(distance)]))
    }

    @Test func `no more than a thousand are named, written or read`() throws {
        let (count, read) = try Self.roundTrip(Array(0..<5_000))
        #expect(count == 1_000 && read.count == 1_000)
        var hostile: [UInt8] = [0x81, 205, 0, 62, 0, 0, 0, 1, 0, 0, 0, 2]
        hostile += (0..<60).flatMap { _ in [UInt8(0), 1, 0xFF, 0xFF] }
        #expect(throws: RTCPParseError.tooManyEntries) { try packets(of: hostile) }
    }
}
