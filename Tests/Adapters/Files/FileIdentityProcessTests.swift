// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueFiles
import RevuePorts
import Testing

/// What only other processes can show. Each child finds its directory by its parent's process number.
@Suite(.serialized) struct FileIdentityProcessTests {
    private static func path(of process: Int32) -> String { "/tmp/revue-identity-\(process)" }

    private let store: FileIdentityStore
    private let path: String

    init() {
        path = FileIdentityProcessTests.path(of: getpid())
        try? FileManager.default.removeItem(atPath: path)
        store = FileIdentityStore(directory: path)
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: path) }

    @Test func `a name that another process has locked is in use`() async throws {
        defer { cleanUp() }
        try store.lock("me")
        await #expect(processExitsWith: .exitCode(7)) {
            let store = FileIdentityStore(directory: FileIdentityProcessTests.path(of: getppid()))
            do throws(IdentityStoreError) {
                try store.lock("me")
            } catch {
                exit(error == .inUse(name: "me") ? 7 : 1)
            }
            exit(2)
        }
        store.unlock("me")
        await #expect(processExitsWith: .exitCode(7)) {
            let store = FileIdentityStore(directory: FileIdentityProcessTests.path(of: getppid()))
            try store.lock("me")
            exit(7)
        }
    }

    @Test func `a killed process gives its names back, and what it saved is whole`() async throws {
        defer { cleanUp() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = FileIdentityStore(directory: FileIdentityProcessTests.path(of: getppid()))
            try store.lock("me")
            try store.save([1, 2, 3], as: "me")
            kill(getpid(), SIGKILL)
        }
        try store.lock("me")
        #expect(try store.load("me") == [1, 2, 3])
        store.unlock("me")
    }

    @Test func `a disk that takes no more is an error, and the old generation stays`() async throws {
        defer { cleanUp() }
        try store.save([1, 2, 3], as: "me")
        await #expect(processExitsWith: .exitCode(7)) {
            let store = FileIdentityStore(directory: FileIdentityProcessTests.path(of: getppid()))
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do throws(IdentityStoreError) {
                try store.save([UInt8](repeating: 7, count: 100_000), as: "me")
            } catch {
                guard case .failed = error, try store.load("me") == [1, 2, 3] else { exit(1) }
                try store.save([4], as: "me")
                exit(7)
            }
            exit(2)
        }
        #expect(try store.load("me") == [4])
        #expect(!FileManager.default.fileExists(atPath: path + "/me/new"))
    }

    @Test func `a process killed at any moment of many saves leaves a whole generation`() async throws {
        defer { cleanUp() }
        try store.save([UInt8](repeating: 1, count: 20_000), as: "me")
        for _ in 0..<5 {
            await #expect(processExitsWith: .signal(SIGALRM)) {
                let store = FileIdentityStore(directory: FileIdentityProcessTests.path(of: getppid()))
                ualarm(useconds_t.random(in: 5_000...40_000), 0)
                for round in 0...UInt8.max { try store.save([UInt8](repeating: round, count: 20_000), as: "me") }
                while true { try store.save([UInt8](repeating: 0, count: 20_000), as: "me") }
            }
            let data = try #require(try store.load("me"))
            #expect(data.count == 20_000 && Set(data).count == 1)
        }
    }

    @Test func `data goes where the desktop's convention says`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            setenv("HOME", "/home/someone", 1)
            for (data, wanted) in [
                ("/srv/data", "/srv/data/RevueSDK"), ("relative", "/home/someone/.local/share/RevueSDK"),
                ("", "/home/someone/.local/share/RevueSDK"),
            ] {
                setenv("XDG_DATA_HOME", data, 1)
                guard FileIdentityStore.defaultDirectory == wanted else { exit(1) }
            }
            exit(7)
        }
    }
}
