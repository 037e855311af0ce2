// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueOpenSSL
import RevuePorts

/// `revue licence …`: makes and reads licences.
enum LicenceCommand {
    static let spec = CommandSpec(
        name: "licence", summary: "Issues and shows licences.",
        subcommands: [
            CommandSpec(
                name: "issue", summary: "Issues a licence.",
                options: [
                    .option("--holder", "NAME", "Whom it is for; 1…256 bytes."),
                    .option("--days", "N", "How long it holds, 1…36500; 365 by default."),
                    .option("--from", "DATE", "When it begins, as 2026-01-31; now by default."),
                    .option("--key", "FILE", "The Ed25519 private key in PEM; the development key by default."),
                    .option("--output", "FILE", "Where it goes."),
                ],
                notes: [
                    "A key of your own: openssl genpkey -algorithm ed25519 -out key.pem. Its public part, which this prints, is",
                    "what your program gives to Ed25519LicenseVerifier(publicKey:).",
                ]),
            CommandSpec(
                name: "show", summary: "Says what a licence holds, and whether it is genuine.",
                positionals: [.init(name: "FILE", summary: "The licence.", isRequired: true)],
                options: [.option("--public-key", "HEX", "64 hexadecimal digits; the development key's by default.")]),
        ])

    @MainActor static func issue(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        guard let holder = arguments.value("--holder") else { throw UsageError.missingArgument(name: "--holder") }
        guard let output = arguments.value("--output") else { throw UsageError.missingArgument(name: "--output") }
        let days = Int64(try arguments.integer("--days", in: 1...36_500, default: 365))
        let start = try arguments.value("--from").map(seconds(of:)) ?? Int64(Date().timeIntervalSince1970)
        let key = try Fixtures.path(arguments.value("--key"), fallback: "development-licence-key.pem")
        do throws(LicenseIssuerError) {
            guard let pem = try? String(contentsOfFile: key, encoding: .utf8) else { throw .invalidKey }
            let issuer = try LicenseIssuer(pem: pem)
            let licence = License(holder: holder, notBefore: start, notAfter: start + days * secondsADay)
            try write(try issuer.issue(licence), to: output)
            describe(licence, context)
            context.terminal.say("public key  \(hexadecimal(issuer.publicKey))")
        } catch {
            throw CommandFailure(.failed, advice(for: error, key: key, output: output))
        }
        return .ok
    }

    @MainActor static func show(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let path = try Fixtures.path(arguments.positionals[0], fallback: "")
        let key =
            try arguments.value("--public-key").map(publicKey(parsing:)) ?? Ed25519LicenseVerifier.developmentPublicKey
        do throws(LicenseError) {
            guard let data = FileManager.default.contents(atPath: path) else { throw .missing }
            let licence = try Ed25519LicenseVerifier(publicKey: key).verify([UInt8](data))
            describe(licence, context)
            let now = Int64(Date().timeIntervalSince1970)
            let state = now < licence.notBefore ? "not yet" : now < licence.notAfter ? "yes" : "no longer"
            context.terminal.say("valid       \(state)")
            return state == "yes" ? .ok : .failed
        } catch {
            throw CommandFailure(.failed, "'\(path)' is not a licence that counts: \(reason(of: error))")
        }
    }

    private static let secondsADay: Int64 = 86_400

    private static func write(_ licence: [UInt8], to path: String) throws(LicenseIssuerError) {
        guard (try? Data(licence).write(to: URL(fileURLWithPath: path), options: .atomic)) != nil else {
            throw .invalidLicense(reason: "it cannot be written to '\(path)'")
        }
    }

    @MainActor private static func describe(_ licence: License, _ context: CommandContext) {
        context.terminal.say("holder      \(licence.holder)")
        context.terminal.say("from        \(date(licence.notBefore))")
        context.terminal.say("until       \(date(licence.notAfter))")
    }

    private static func date(_ seconds: Int64) -> String {
        let formatter = ISO8601DateFormatter()
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    private static func seconds(of text: String) throws(UsageError) -> Int64 {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate]
        guard let date = formatter.date(from: text) else {
            throw .invalidValue(name: "--from", value: text, reason: "it must be a date like 2026-01-31")
        }
        return Int64(date.timeIntervalSince1970)
    }

    private static func publicKey(parsing text: String) throws(UsageError) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        guard text.count == 64, digits.count == 64 else {
            throw .invalidValue(name: "--public-key", value: text, reason: "it must be 64 hexadecimal digits")
        }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func advice(for error: LicenseIssuerError, key: String, output: String) -> String {
        switch error {
        case .invalidKey: "'\(key)' is no Ed25519 private key in PEM without a password"
        case .invalidLicense(let reason): "the licence was not issued: \(reason)"
        default: "the licence was not issued: \(error)"
        }
    }

    private static func reason(of error: LicenseError) -> String {
        switch error {
        case .missing: "it is empty"
        case .malformed(let reason): reason
        case .invalidSignature: "it was not signed with this key"
        case .expired: "it is over"
        }
    }
}
