// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import RevueDomain

@Suite struct `What leaves for a recipient` {
    /// A row of the table in `docs/calls.md`.
    struct Row: Sendable {
        var hardware: HardwareState
        var levels: MuteLevels
        var content: OutletContent
        var isDeclaredMuted: Bool

        init(_ hardware: HardwareState, _ levels: MuteLevels, _ content: OutletContent, muted: Bool) {
            self.hardware = hardware
            self.levels = levels
            self.content = content
            isDeclaredMuted = muted
        }
    }

    static let table: [Row] = [
        Row(.neverStarted, .none, .nothing, muted: false),
        Row(.neverStarted, .track, .placeholder, muted: true),
        Row(.neverStarted, .publication, .placeholder, muted: true),
        Row(.neverStarted, .both, .placeholder, muted: true),
        Row(.running, .none, .media, muted: false),
        Row(.running, .track, .placeholder, muted: true),
        Row(.running, .publication, .placeholder, muted: true),
        Row(.running, .both, .placeholder, muted: true),
        Row(.stopped, .none, .placeholder, muted: true),
        Row(.stopped, .track, .placeholder, muted: true),
        Row(.stopped, .publication, .placeholder, muted: true),
        Row(.stopped, .both, .placeholder, muted: true),
        Row(.external, .none, .media, muted: false),
        Row(.external, .track, .placeholder, muted: true),
        Row(.external, .publication, .placeholder, muted: true),
        Row(.external, .both, .placeholder, muted: true),
    ]

    @Test(arguments: table) func `follows the hardware and both levels of mute`(row: Row) {
        let outlet = Outlet(hardware: row.hardware, levels: row.levels)
        #expect(outlet.content == row.content)
        #expect(outlet.isDeclaredMuted == row.isDeclaredMuted)
    }

    @Test func `the table has every row once`() {
        for hardware in HardwareState.allCases {
            for levels in MuteLevels.allCases {
                #expect(Self.table.filter { $0.hardware == hardware && $0.levels == levels }.count == 1)
            }
        }
    }

    @Test(arguments: MuteLevels.allCases) func `two answers name the levels`(levels: MuteLevels) {
        let track = levels == .track || levels == .both
        let publication = levels == .publication || levels == .both
        #expect(MuteLevels(track: track, publication: publication) == levels)
    }
}
