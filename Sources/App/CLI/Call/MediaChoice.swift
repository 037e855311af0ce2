// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// What stands for the camera: `clip:FILE`, `pattern` or `none`.
enum PictureChoice: Equatable, Sendable {
    case clip(String)
    case pattern
    case none

    init(parsing text: String) throws(UsageError) {
        if text.hasPrefix("clip:"), text.count > 5 {
            self = .clip(String(text.dropFirst(5)))
        } else if text == "pattern" {
            self = .pattern
        } else if text == "none" {
            self = .none
        } else {
            throw .invalidValue(name: "--source", value: text, reason: "it must be clip:FILE, pattern or none")
        }
    }
}

/// What stands for the microphone: a file with sound, `tone` or `none`.
enum SoundChoice: Equatable, Sendable {
    case file(String)
    case tone
    case none

    init(parsing text: String) {
        switch text {
        case "tone": self = .tone
        case "none": self = .none
        default: self = .file(text)
        }
    }
}

/// What a command says of the media of a call.
struct MediaChoice: Equatable, Sendable {
    var picture: PictureChoice
    var sound: SoundChoice
    var preset: CallPreset
    var width: Int
    var height: Int
    var frameRate: Int

    static let options: [OptionSpec] = [
        .option("--source", "KIND", "The camera: clip:FILE, pattern or none; pattern by default."),
        .option(
            "--audio", "KIND",
            "The microphone: a file with sound, tone or none; tone by default, or the clip's own sound."),
        .option("--preset", "NAME", "default, low-latency, high-quality or low-bandwidth."),
        .option("--size", "WxH", "Size of the pictures; 640x360 by default."),
        .option("--fps", "N", "Pictures a second that the camera is asked for, 1…60; 30 by default."),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        picture =
            try arguments.value("--source").map { text throws(UsageError) in try PictureChoice(parsing: text) }
            ?? .pattern
        if let text = arguments.value("--audio") {
            sound = SoundChoice(parsing: text)
        } else if case .clip(let path) = picture {
            sound = .file(path)
        } else {
            sound = .tone
        }
        preset = try arguments.choice("--preset", default: .standard)
        frameRate = try arguments.integer("--fps", in: 1...60, default: 30)
        (width, height) = (640, 360)
        if let text = arguments.value("--size") {
            let sides = text.split(separator: "x").map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy({ (16...4_096).contains($0) }) else {
                throw .invalidValue(
                    name: "--size", value: text, reason: "it must be like 640x360, each side 16 to 4096")
            }
            (width, height) = (sides[0], sides[1])
        }
    }
}
