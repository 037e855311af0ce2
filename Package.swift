// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import PackageDescription

/// Swift 6 mode, every warning an error, and the upcoming features named by their evolution proposals.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]

/// One box of the hexagon: a Swift target with the shared settings.
func box(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(path)", swiftSettings: settings)
}

/// A C library of the system, seen by the adapter beside it alone.
func library(_ name: String, pkgConfig: String?, debian: [String]) -> Target {
    .systemLibrary(name: name, path: "Sources/Adapters/\(name)", pkgConfig: pkgConfig, providers: [.apt(debian)])
}

func tests(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: settings)
}

let domain: [Target] = [
    box("RevueTime", "Domain/Time"),
    box("RevueDomain", "Domain/Calls", ["RevueTime"]),
    box("RevueMedia", "Domain/Media", ["RevueTime"]),
]

let ports: [Target] = [
    box("RevuePorts", "Ports/Ports", ["RevueTime", "RevueDomain"]),
    box("RevueContracts", "Ports/Contracts", ["RevueTime", "RevueDomain", "RevuePorts"]),
]

let libraries: [Target] = [
    library("CToxcore", pkgConfig: "toxcore", debian: ["libtoxcore-dev"]),
    library("CVpx", pkgConfig: "vpx", debian: ["libvpx-dev"]),
    library("COpus", pkgConfig: "opus", debian: ["libopus-dev"]),
    library("CYuv", pkgConfig: nil, debian: ["libyuv-dev"]),
    library(
        "CFFmpeg", pkgConfig: "libavformat libavcodec libswscale libswresample libavutil",
        debian: ["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libswresample-dev"]),
    library("COpenSSL", pkgConfig: "libcrypto", debian: ["libssl-dev"]),
]

let adapters: [Target] = [
    box("RevueInMemory", "Adapters/InMemory", ["RevueTime", "RevueDomain", "RevuePorts"]),
    box("RevueDispatch", "Adapters/Dispatch", ["RevueTime", "RevuePorts"]),
    box("RevueTox", "Adapters/Tox", ["RevueTime", "RevueDomain", "RevuePorts", "CToxcore"]),
    box("RevueVpx", "Adapters/Vpx", ["RevueTime", "RevuePorts", "CVpx"]),
    box("RevueOpus", "Adapters/Opus", ["RevueTime", "RevuePorts", "COpus"]),
    box("RevueYuv", "Adapters/Yuv", ["RevuePorts", "CYuv"]),
    box("RevueFFmpeg", "Adapters/FFmpeg", ["RevueTime", "RevuePorts", "CFFmpeg"]),
    box("RevueOpenSSL", "Adapters/OpenSSL", ["RevueTime", "RevuePorts", "COpenSSL"]),
    box("RevueFiles", "Adapters/Files", ["RevuePorts", "COpenSSL"]),
    box("RevueUDP", "Adapters/UDP", ["RevueTime", "RevueDomain", "RevuePorts"]),
    box("RevueTestPattern", "Adapters/TestPattern", ["RevueTime", "RevuePorts"]),
]

let app: [Target] = [
    box("RevueCore", "App/Core", ["RevueTime", "RevueDomain", "RevueMedia", "RevuePorts"]),
    box(
        "RevueSDK", "App/SDK",
        [
            "RevueCore", "RevuePorts", "RevueDispatch", "RevueTox", "RevueVpx", "RevueOpus", "RevueYuv", "RevueOpenSSL",
            "RevueFiles",
        ]),
    .executableTarget(
        name: "revue",
        dependencies: [
            "RevueSDK", "RevueCore", "RevuePorts", "RevueTime", "RevueDomain", "RevueTox", "RevueFFmpeg",
            "RevueTestPattern", "RevueInMemory", "RevueOpenSSL", "RevueFiles", "RevueDispatch", "RevueVpx", "RevueOpus",
            "RevueYuv", "RevueUDP",
        ],
        path: "Sources/App/CLI", swiftSettings: settings),
]

/// Ways in for other people's bytes, and the program that libFuzzer or a replay drives them with.
let fuzzing: [Target] = [
    .target(
        name: "RevueFuzz",
        dependencies: [
            "RevueTime", "RevueDomain", "RevueMedia", "RevuePorts", "RevueCore", "RevueTox", "RevueUDP", "RevueOpenSSL",
            "RevueFiles",
        ],
        path: "Fuzz/Targets", swiftSettings: settings),
    .executableTarget(
        name: "revue-fuzz", dependencies: ["RevueFuzz"], path: "Fuzz/Driver", swiftSettings: settings),
]

let suites: [Target] = [
    tests("DomainTests", "Domain", ["RevueTime", "RevueDomain"]),
    tests("MediaTests", "Media", ["RevueTime", "RevueMedia"]),
    tests("PortsTests", "Ports", ["RevueTime", "RevueDomain", "RevuePorts"]),
    tests("InMemoryTests", "InMemory", ["RevueTime", "RevueDomain", "RevuePorts", "RevueContracts", "RevueInMemory"]),
    tests(
        "AdapterTests", "Adapters",
        [
            "RevueTime", "RevueDomain", "RevuePorts", "RevueContracts", "RevueDispatch", "RevueTox", "RevueVpx",
            "RevueOpus", "RevueYuv", "RevueFFmpeg", "RevueOpenSSL", "RevueFiles", "RevueTestPattern", "RevueUDP",
            "RevueInMemory", "CToxcore",
        ]),
    tests(
        "CoreTests", "Core",
        ["RevueTime", "RevueDomain", "RevueMedia", "RevuePorts", "RevueInMemory", "RevueCore"]),
    tests("APITests", "API", ["RevueCore"]),
    tests(
        "SimulationTests", "Simulation",
        ["RevueTime", "RevueDomain", "RevueMedia", "RevuePorts", "RevueDispatch", "RevueInMemory", "RevueCore"]),
    tests(
        "CLITests", "CLI",
        [
            "revue", "RevueTime", "RevuePorts", "RevueInMemory", "RevueTestPattern", "RevueVpx", "RevueOpus",
            "RevueCore",
        ]),
    tests("FuzzTests", "Fuzz", ["RevueFuzz"]),
    // As an integrator compiles: Swift 6 mode without our own upcoming features.
    .testTarget(
        name: "GuideTests",
        dependencies: [
            "RevueSDK", "RevueTime", "RevueDomain", "RevuePorts", "RevueContracts", "RevueInMemory", "RevueUDP",
            "RevueOpenSSL",
        ],
        path: "Tests/Guides", swiftSettings: [.treatAllWarnings(as: .error)]),
    // The program of the README.
    .executableTarget(
        name: "hello", dependencies: ["RevueSDK"], path: "Tests/Programs/Hello",
        swiftSettings: [.treatAllWarnings(as: .error)]),
    tests("SystemTests", "System", ["revue", "RevueSDK", "RevueTime", "RevuePorts", "RevueFFmpeg"]),
]

let package = Package(
    name: "RevueSDK",
    products: [
        .library(name: "RevueSDK", targets: ["RevueSDK"]),
        .library(name: "RevueCore", targets: ["RevueCore"]),
        .library(name: "RevueDomain", targets: ["RevueDomain"]),
        .library(name: "RevueMedia", targets: ["RevueMedia"]),
        .library(name: "RevuePorts", targets: ["RevuePorts"]),
        .library(name: "RevueContracts", targets: ["RevueContracts"]),
        .library(name: "RevueInMemory", targets: ["RevueInMemory"]),
        .library(name: "RevueTox", targets: ["RevueTox"]),
        .library(name: "RevueUDP", targets: ["RevueUDP"]),
        .library(name: "RevueFFmpeg", targets: ["RevueFFmpeg"]),
        .library(name: "RevueTestPattern", targets: ["RevueTestPattern"]),
        .executable(name: "revue", targets: ["revue"]),
    ],
    targets: domain + ports + libraries + adapters + app + fuzzing + suites,
    swiftLanguageModes: [.v6]
)
