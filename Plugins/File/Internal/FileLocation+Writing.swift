import LibC
import WorkerKit

extension FileLocation {
    /// Replaces the file's content atomically: every reader sees either all of the old or all of
    /// the new content, even after a power failure.
    func replace(with bytes: [UInt8]) throws(WorkerError) {
        let old = try at(path) { () throws(Failure) in try folder.status(of: name) }
        if let old, old.kind != .file { throw .noFile(path, old.kind) }
        try at(path) { () throws(Failure) in
            if old != nil, faccessat(folder.descriptor.number, name, W_OK, AT_EACCESS) != 0 {
                throw Failure(errno)
            }
            try write(bytes, like: old)
        }
    }

    private func write(_ bytes: [UInt8], like old: FileStatus?) throws(Failure) {
        let temporary = ".workflow-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // Until the new file has the old one's permissions, only its owner may read it.
        let file = try Descriptor(
            openat(folder.descriptor.number, temporary, flags, old == nil ? 0o666 : 0o600))
        do throws(Failure) {
            if let old { try file.becomeLike(old) }
            try file.append(bytes)
            guard fsync(file.number) == 0 else { throw Failure(errno) }
            guard
                renameat(folder.descriptor.number, temporary, folder.descriptor.number, name) == 0
            else { throw Failure(errno) }
        } catch {
            unlinkat(folder.descriptor.number, temporary, 0)
            throw error
        }
        // The new name reaches the disk anyway; syncing only hurries it. Some file systems do not
        // support that, and some folders can be written but not read.
        if let folder = try? folder.opened() { fsync(folder.number) }
    }
}

extension Descriptor {
    /// Copies the permissions of a file, and its owner if this user may.
    fileprivate func becomeLike(_ old: FileStatus) throws(Failure) {
        let own = try status()
        if own.owner != old.owner || own.group != old.group {
            _ = fchown(number, old.owner, old.group)
        }
        guard fchmod(number, old.permissions) == 0 else { throw Failure(errno) }
    }

    fileprivate func append(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure(errno) }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
