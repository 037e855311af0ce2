// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import RevueDomain

@Suite struct `Paths, the domain's own value` {
    private var reach = Reach()

    @Test mutating func `outside a call the transport's word counts`() {
        #expect(reach.paths == [])
        reach.reported([.udpDirect, .tcpRelay], inCall: false)
        #expect(reach.paths == [.udpDirect, .tcpRelay])
        reach.heard(inCall: false)
        #expect(reach.paths == [.udpDirect, .tcpRelay])
        reach.reported([], inCall: false)
        #expect(reach.paths == [])
        reach.heard(inCall: false)
        #expect(reach.paths == [])
    }

    @Test mutating func `in a call the transport may change paths and take them away`() {
        reach.reported(.udpDirect, inCall: false)
        reach.reported(.tcpRelay, inCall: true)
        #expect(reach.paths == .tcpRelay)
        reach.reported([], inCall: true)
        #expect(reach.paths == [])
        reach.reported(.udpDirect, inCall: true)
        #expect(reach.paths == [])
        reach.heard(inCall: true)
        #expect(reach.paths == .udpDirect)
    }

    @Test mutating func `silence empties the paths, and only a packet fills them again`() {
        reach.reported(.udpDirect, inCall: false)
        reach.fellSilent()
        #expect(reach.paths == [])
        reach.reported(.tcpRelay, inCall: true)
        #expect(reach.paths == [])
        reach.heard(inCall: true)
        #expect(reach.paths == .tcpRelay)
    }

    @Test mutating func `packets without a path of the transport are direct UDP`() {
        reach.heard(inCall: true)
        #expect(reach.paths == .udpDirect)
        reach.reported(.udpRelay, inCall: true)
        #expect(reach.paths == .udpRelay)
        reach.reported([], inCall: true)
        #expect(reach.paths == [])
    }

    @Test mutating func `the transport takes away paths that packets had proved`() {
        reach.heard(inCall: true)
        reach.reported([], inCall: true)
        #expect(reach.paths == [])
    }

    @Test mutating func `after the call silence stays proved until something is heard or reported anew`() {
        reach.reported(.udpDirect, inCall: false)
        reach.fellSilent()
        reach.callEnded()
        #expect(reach.paths == [] && reach.isDoubted)
        var heard = reach
        heard.heard(inCall: false)
        #expect(heard.paths == .udpDirect)
        reach.reported(.udpDirect, inCall: false)
        #expect(reach.paths == .udpDirect && !reach.isDoubted)
    }

    @Test mutating func `after the call packets alone are no path`() {
        reach.heard(inCall: true)
        reach.callEnded()
        #expect(reach.paths == [])
    }
}
