// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueFuzz

#if FUZZ
    import Glibc

    /// Which target this process fuzzes: the fuzzer's own arguments leave no room for it.
    private let target: FuzzTarget = {
        let name = getenv("REVUE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("set REVUE_FUZZ_TARGET to one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
            exit(2)
        }
        return target
    }()

    /// What libFuzzer calls.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
#else
    import Foundation

    /// `revue-fuzz replay TARGET FILE…` runs a target on files; `revue-fuzz seeds FOLDER` writes the corpus's first
    /// inputs; without arguments the targets are listed.
    @main struct Driver {
        static func main() throws {
            let arguments = Array(CommandLine.arguments.dropFirst())
            switch (arguments.first, arguments.count) {
            case ("replay", 2...):
                guard let target = FuzzTarget(rawValue: arguments[1]) else { return list() }
                for path in arguments.dropFirst(2) {
                    target.run(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
                    print("ok \(path)")
                }
            case ("seeds", 2): try FuzzSeeds.write(to: URL(fileURLWithPath: arguments[1]))
            default: list()
            }
        }

        private static func list() { for target in FuzzTarget.allCases { print(target.rawValue) } }
    }
#endif
