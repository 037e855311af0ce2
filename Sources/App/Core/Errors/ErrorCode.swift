// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The numbers that error cases with a `code` carry. They keep the documented table, so that a number means the same
/// here as in logs of other platforms; `docs/errors.md` lists them.
enum ErrorCode {
    /// A required value was missing.
    static let missingValue: Int32 = -1
    /// A value is malformed, or names nothing that exists.
    static let invalidArgument: Int32 = -2
    /// The instance is not initialized.
    static let notInitialized: Int32 = -4
    /// The identity could not be read or written: damaged, locked by another process, or the disk said no.
    static let storageFailed: Int32 = -5
    /// The network could not be started.
    static let transportFailed: Int32 = -6
    /// The save file is encrypted, with another password than the given one or damaged since. Not in the documented table.
    static let wrongPassword: Int32 = -40
    /// The save file is encrypted, and no password was given. Not in the documented table.
    static let passwordMissing: Int32 = -41
    /// Anything that no other number says.
    static let unknown: Int32 = -99
}
