// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import Testing

@Suite struct ControlMessageTests {
    @Test(arguments: ControlMessage.samples)
    func `a message survives its bytes`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields()
        #expect(try ControlMessage(type: message.type, fields: fields) == message)
    }

    @Test func `every type has a sample`() {
        let seen = Set(ControlMessage.samples.map(\.type.rawValue))
        for type in ControlType.allCases where type != .acknowledgement { #expect(seen.contains(type.rawValue)) }
    }

    @Test func `the bytes are those of the documentation`() throws {
        let mute = ControlMessage.mute(
            WireID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10), PublicationID(rawValue: 5), isMuted: true,
            rtpTime: 0xAABB_CCDD, version: 2)
        let expected: [UInt8] =
            [1, 16] + Array(1...16) + [2, 4, 0, 0, 0, 5] + [3, 4, 0, 0, 0, 2] + [6, 1, 1]
            + [7, 4, 0xAA, 0xBB, 0xCC, 0xDD]
        #expect(try mute.encodedFields() == expected)
        #expect(mute.type.rawValue == 13)
    }

    @Test(arguments: ControlMessage.samples)
    func `unknown fields are skipped`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields()
        let unknown: [UInt8] = [200, 3, 9, 9, 9]
        let long: [UInt8] = [255, 0x40, 100] + Array(repeating: 7, count: 100)
        #expect(try ControlMessage(type: message.type, fields: unknown + fields + long + [0, 0]) == message)
    }

    @Test(arguments: ControlMessage.samples)
    func `a message cut off anywhere is refused or is a shorter one, never a trap`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields()
        var refused = 0
        for length in 0..<fields.count {
            do throws(ControlDrop) {
                let shorter = try ControlMessage(type: message.type, fields: Array(fields.prefix(length)))
                #expect(shorter != message)
            } catch {
                #expect(error == .truncatedField || error == .missingField)
                refused += 1
            }
        }
        // Whatever ends within a field is refused; what remains valid lacks optional fields or list entries.
        #expect(refused >= fields.count - 17)
    }

    @Test(arguments: ControlMessage.samples)
    func `each field that must be there is missed`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields().splitFields()
        let optional: Set<UInt8> = [ControlTag.rtpTime.rawValue, ControlTag.cryptor.rawValue]
        let listed = Set(ControlTag.allCases.filter(\.isList).map(\.rawValue))
        for (index, field) in fields.enumerated() {
            let isInviteText = message.type == .invite && field[0] == ControlTag.text.rawValue
            guard !optional.contains(field[0]), !listed.contains(field[0]), !isInviteText else { continue }
            var others = fields
            others.remove(at: index)
            #expect(throws: ControlDrop.missingField) {
                try ControlMessage(type: message.type, fields: Array(others.joined()))
            }
        }
    }

    @Test(arguments: ControlMessage.samples)
    func `a field that may come once is not taken twice`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields().splitFields()
        for field in fields where ControlTag(rawValue: field[0])?.isList == false {
            #expect(throws: ControlDrop.repeatedField) {
                try ControlMessage(type: message.type, fields: Array((fields + [field]).joined()))
            }
        }
    }

    @Test(arguments: ControlMessage.samples)
    func `a number or an identifier of another length is refused`(_ message: ControlMessage) throws {
        let fields = try message.encodedFields().splitFields()
        let variable: [ControlTag] = [.text, .name, .key, .candidate]
        for (index, field) in fields.enumerated() where !variable.map(\.rawValue).contains(field[0]) {
            for change in [-1, 1] {
                var changed = fields
                changed[index] = [field[0], UInt8(Int(field[1]) + change)] + field.dropFirst(2)
                if change < 0 { changed[index].removeLast() } else { changed[index].append(0) }
                #expect(throws: ControlDrop.wrongLength) {
                    try ControlMessage(type: message.type, fields: Array(changed.joined()))
                }
            }
        }
    }

    @Test(
        arguments: [
            [1],  // a tag without a length
            [1, 0x40],  // a length cut off
            [1, 0xC0, 0, 0, 0, 0, 0],  // a length of eight bytes, cut off
            [1, 17] + Array(repeating: 0, count: 16),  // one byte more than there is
            [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],  // 2^62 − 1
            [200, 0x80, 0xFF, 0xFF, 0xFF],  // an unknown field past the end
            [200, 0xBF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `a hostile length is refused`(_ bytes: [UInt8]) {
        for type in ControlType.allCases where type != .acknowledgement {
            #expect(throws: ControlDrop.truncatedField) { try ControlMessage(type: type, fields: bytes) }
        }
    }

    @Test func `a length may be written longer than it needs`() throws {
        let id: [UInt8] = Array(repeating: 1, count: 16)
        let message = ControlMessage.ringing(WireID(high: 0x0101_0101_0101_0101, low: 0x0101_0101_0101_0101))
        for length in [[0x40, 16], [0x80, 0, 0, 16], [0xC0, 0, 0, 0, 0, 0, 0, 16]] as [[UInt8]] {
            #expect(try ControlMessage(type: .ringing, fields: [1] + length + id) == message)
        }
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `text that is not UTF-8 is refused`(_ text: [UInt8]) throws {
        var writer = FieldWriter()
        writer.put(.call, Array(repeating: 0, count: 16))
        writer.put(.text, text)
        #expect(throws: ControlDrop.invalidText) { try ControlMessage(type: .invite, fields: writer.bytes) }
    }
}

extension [UInt8] {
    /// The fields of valid bytes, each with its tag and length.
    func splitFields() -> [[UInt8]] {
        var fields: [[UInt8]] = []
        var rest = self[...]
        while rest.count >= 2 {
            let start = rest.startIndex
            let isLong = rest[start + 1] & 0xC0 == 0x40
            let length = isLong ? Int(rest[start + 1] & 0x3F) << 8 | Int(rest[start + 2]) : Int(rest[start + 1])
            let field = rest.prefix(length + (isLong ? 3 : 2))
            fields.append(Array(field))
            rest = rest.dropFirst(field.count)
        }
        return fields
    }
}

extension ControlTag {
    /// Whether the tag may come several times.
    var isList: Bool { self == .state || self == .format || self == .candidate }
}
