// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
import RevuePorts

/// An open file descriptor, closed with its last reference. Closing gives back what `flock` holds on it.
final class FileHandle: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    /// - Returns: false when another descriptor has the lock.
    func tryToLock() throws(IdentityStoreError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw failure("cannot lock") }
        }
        return true
    }
}

/// An open directory. Everything in it is reached relative to its descriptor.
struct Folder {
    private static let privateFolder: mode_t = 0o700
    private static let privateFile: mode_t = 0o600
    /// No savedata is larger; reading stops there.
    private static let largestFile = 256 << 20
    private static let newFile = "new"

    private let handle: FileHandle

    /// The directory at a path; nil when there is none.
    static func open(_ path: String) throws(IdentityStoreError) -> Folder? {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { return Folder(handle: FileHandle(descriptor)) }
        if errno == ENOENT { return nil }
        throw failure("cannot open \(path)")
    }

    /// The directory of this name in a parent, both made when missing.
    static func make(_ parent: String, _ name: String) throws(IdentityStoreError) -> Folder {
        try makeAll(parent)
        let path = parent + "/" + name
        if mkdir(path, privateFolder) == 0 {
            try open(parent)?.sync()  // else a crash could lose the entry, and with it what is saved below
        } else if errno != EEXIST {
            throw failure("cannot make \(path)")
        }
        guard let folder = try open(path) else { throw .failed(reason: "\(path) vanished") }
        return folder
    }

    private static func makeAll(_ path: String) throws(IdentityStoreError) {
        var partial = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            partial += "/" + part
            guard mkdir(partial, privateFolder) != 0, errno != EEXIST else { continue }
            if errno == EROFS || errno == EACCES, access(partial, F_OK) == 0 { continue }  // it exists already
            throw failure("cannot make \(partial)")
        }
    }

    /// Waits for every other writer of this directory.
    func lockExclusively() throws(IdentityStoreError) {
        while flock(handle.descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw failure("cannot lock") }
        }
    }

    func openFile(_ name: String, _ flags: Int32) throws(IdentityStoreError) -> FileHandle {
        let descriptor = openat(handle.descriptor, name, flags | O_CLOEXEC, Folder.privateFile)
        guard descriptor >= 0 else { throw failure("cannot open \(name)") }
        return FileHandle(descriptor)
    }

    /// A file's bytes; nil when there is no such file. A file that the disk cannot read comes back empty: damaged.
    func contents(of name: String) throws(IdentityStoreError) -> [UInt8]? {
        let descriptor = openat(handle.descriptor, name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot open \(name)")
        }
        let file = FileHandle(descriptor)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= Folder.largestFile {
            let count = Glibc.read(file.descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno == EIO {
                return []
            } else if errno != EINTR {
                throw failure("cannot read \(name)")
            }
        }
        return []
    }

    /// Puts a whole file in the place of another: written beside it, synced, renamed, and the directory synced.
    func replace(_ name: String, with bytes: [UInt8]) throws(IdentityStoreError) {
        do throws(IdentityStoreError) {
            try write(bytes, to: Folder.newFile)
        } catch {
            unlinkat(handle.descriptor, Folder.newFile, 0)
            throw error
        }
        guard renameat(handle.descriptor, Folder.newFile, handle.descriptor, name) == 0 else {
            throw failure("cannot rename to \(name)")
        }
        try sync()
    }

    func remove(_ name: String) throws(IdentityStoreError) {
        guard unlinkat(handle.descriptor, name, 0) == 0 || errno == ENOENT else {
            throw failure("cannot remove \(name)")
        }
    }

    func sync() throws(IdentityStoreError) {
        guard fsync(handle.descriptor) == 0 else { throw failure("cannot sync the directory") }
    }

    private func write(_ bytes: [UInt8], to name: String) throws(IdentityStoreError) {
        let file = try openFile(name, O_WRONLY | O_CREAT | O_TRUNC)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("cannot write")
            }
        }
        guard fsync(file.descriptor) == 0 else { throw failure("cannot sync") }
    }
}

/// What the system said last.
private func failure(_ what: String) -> IdentityStoreError {
    .failed(reason: "\(what): \(String(cString: strerror(errno)))")
}
