// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevueDomain
import RevueFiles
import RevueOpenSSL
import RevuePorts
import RevueTime
import RevueTox
import RevueUDP

/// The corpus's first inputs: what honest peers and programs write. The fuzzer changes them; crashes join them by hand.
public enum FuzzSeeds {
    /// Writes each seed to `folder/target/name`. Identities are drawn anew, so files differ from run to run.
    public static func write(to folder: URL) throws {
        let seeds: [(FuzzTarget, [String: [UInt8]])] = [
            (.controlFrame, try ControlSeeds.frames()), (.controlMessage, try ControlSeeds.messages()),
            (.rtpVideo, MediaSeeds.video()), (.rtpAudio, MediaSeeds.audio()), (.rtcp, MediaSeeds.rtcp()),
            (.payload, MediaSeeds.payloads()), (.savedata, try savedata()), (.licence, try licences()),
            (.labPacket, LabTrial.seeds.mapValues { DatagramScript.input($0) }),
        ]
        for (target, inputs) in seeds {
            let place = folder.appendingPathComponent(target.rawValue)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (name, bytes) in inputs { try Data(bytes).write(to: place.appendingPathComponent(name)) }
        }
    }

    private static func savedata() throws -> [String: [UInt8]] {
        let tox = ToxTransport()
        _ = try tox.start(TransportConfiguration(localDiscoveryEnabled: false), savedata: nil, delegate: Deaf())
        let envelope = tox.savedata()
        tox.stop()
        let instance = Array("RVSI".utf8) + [1, 0, 0, 0, 2, 7, 8, 0, 0, 0, 1, 9]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileIdentityStore(directory: folder.path).save(instance, as: "seed")
        let generation = try Data(contentsOf: folder.appendingPathComponent("seed/a"))
        return [
            "tox-new-identity": envelope, "lab-with-a-friend": LabTrial.savedataSeed.whole,
            "lab-content-with-a-friend": LabTrial.savedataSeed.content, "instance": instance,
            "generation": Array(generation), "sealed": try ScryptCipher().seal(instance, password: "password"),
            "session-empty": StoredState().encoded(), "empty": [],
        ]
    }

    private static func licences() throws -> [String: [UInt8]] {
        let development = try Data(contentsOf: URL(fileURLWithPath: "Fixtures/development.lic"))
        return ["development": Array(development), "magic-only": Array("RVLC".utf8) + [1], "empty": []]
    }

    private final class Deaf: TransportDelegate {
        func transport(didReport event: TransportEvent) {}
        func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {}
        func transportDidChangeSavedata() {}
    }
}
