// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts

/// An error in FFmpeg's own words.
func avWords(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    av_strerror(code, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension CaptureError {
    /// What went wrong with a file.
    static func file(_ path: String, _ code: Int32) -> CaptureError {
        code == revue_av_error_missing
            ? .notFound(name: path) : .unreadable(name: path, reason: avWords(code))
    }
}

/// FFmpeg writes to standard error unless told not to; everything that matters comes as an error anyway.
let quietLibraries: Void = av_log_set_level(AV_LOG_QUIET)
