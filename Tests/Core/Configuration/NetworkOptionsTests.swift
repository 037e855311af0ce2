// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import RevueCore

struct NetworkOptionsTests {
    @Test func `by default every transport is on and no switch is`() throws {
        let options = Revue.NetworkOptions.default
        #expect(options.enableUdpDirect && options.enableTcpRelay && options.enableUdpRelay)
        #expect(options.ipv6Enabled && options.localDiscoveryEnabled)
        #expect(!options.switchAEnabled && !options.switchBEnabled)
        #expect(options.ports == 33_445...33_545)
        try options.validate()
    }

    @Test func `no transport at all cannot work`() {
        let options = Revue.NetworkOptions(enableUdpDirect: false, enableTcpRelay: false, enableUdpRelay: false)
        #expect(throws: RevueInitError.invalidTransportConfig) { try options.validate() }
    }

    @Test func `a UDP relay alone is no transport while there are none`() {
        let options = Revue.NetworkOptions(enableUdpDirect: false, enableTcpRelay: false)
        #expect(throws: RevueInitError.invalidTransportConfig) { try options.validate() }
    }

    @Test func `what has no effect yet is named, not left out in silence`() {
        var configuration = Revue.Configuration(
            bootstrapNodes: [], networkOptions: Revue.NetworkOptions(switchAEnabled: true),
            mqttOptions: Revue.MqttOptions(brokerUrl: "wss://broker.example.com/mqtt"))
        #expect(configuration.withoutEffect.count == 2)
        configuration.networkOptions = .default
        configuration.mqttOptions = .deferred
        #expect(configuration.withoutEffect.isEmpty)
    }

    @Test(arguments: [(true, false), (false, true), (true, true), (false, false)])
    func `switch A needs a relay`(tcp: Bool, udp: Bool) throws {
        let options = Revue.NetworkOptions(enableTcpRelay: tcp, enableUdpRelay: udp, switchAEnabled: true)
        if tcp || udp {
            try options.validate()
        } else {
            #expect(throws: RevueInitError.invalidTransportConfig) { try options.validate() }
        }
    }

    @Test(arguments: [(UInt32(0), true), (1, false), (14_999, false), (15_000, true), (.max, true)])
    func `a grace period is 0 or at least 15 seconds`(period: UInt32, isValid: Bool) throws {
        for options in [
            Revue.NetworkOptions(switchAGracePeriodMs: period), Revue.NetworkOptions(switchBGracePeriodMs: period),
        ] {
            if isValid {
                try options.validate()
            } else {
                #expect(throws: RevueInitError.gracePeriodTooShort) { try options.validate() }
            }
        }
    }

    @Test(
        arguments: [
            (UInt16(40_000), UInt16(40_010), 40_000...40_010), (40_000, 40_000, 40_000...40_000),
            (40_000, 0, 40_000...40_000), (33_500, 0, 33_500...33_545), (0, 33_450, 33_445...33_450), (0, 80, 80...80),
            (1, 65_535, 1...65_535),
        ] as [(UInt16, UInt16, ClosedRange<UInt16>)])
    func `0 stands for the default port at that end`(start: UInt16, end: UInt16, ports: ClosedRange<UInt16>) throws {
        let options = Revue.NetworkOptions(startPort: start, endPort: end)
        #expect(options.ports == ports)
        try options.validate()
    }

    @Test func `the first port may not be above the last`() {
        let options = Revue.NetworkOptions(startPort: 2, endPort: 1)
        #expect(throws: RevueInitError.invalidConfiguration) { try options.validate() }
    }

    @Test(arguments: [
        "tcp://broker.example.com", "ssl://broker.example.com:8883", "tls://h", "mqtts://h:1", "ws://h/mqtt",
        "WSS://broker.example.com/mqtt",
    ])
    func `the broker schemes are taken`(url: String) {
        #expect(Revue.MqttOptions(brokerUrl: url).isValid)
    }

    @Test(arguments: ["", "broker", "http://h", "tcp:/h", "tcp://", "tcp://:1883", "wss:///mqtt", "tcp://a b", "://h"])
    func `any other broker URL is refused`(url: String) {
        let options = Revue.MqttOptions(brokerUrl: url)
        #expect(!options.isValid)
    }

    @Test(arguments: [(-1, false), (0, true), (1, true), (2, true), (3, false)])
    func `the presence QoS is 0 to 2`(qos: Int, isValid: Bool) {
        #expect(Revue.MqttOptions(presenceQos: qos).isValid == isValid)
    }

    @Test func `without arguments presence uses QoS 1 and starts at once`() {
        #expect(Revue.MqttOptions() == Revue.MqttOptions(presenceQos: 1, deferStart: false))
        #expect(Revue.MqttOptions.deferred.deferStart)
    }

    @Test func `a deferred start ignores the other values, an immediate one does not`() throws {
        var configuration = Revue.Configuration(bootstrapNodes: [], licenseData: .init([1]))
        configuration.mqttOptions = Revue.MqttOptions(brokerUrl: "nonsense", deferStart: true)
        try configuration.validate()
        configuration.mqttOptions?.deferStart = false
        #expect(throws: RevueInitError.invalidConfiguration) { try configuration.validate() }
    }
}
