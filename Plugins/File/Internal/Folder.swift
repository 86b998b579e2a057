import LibC
import WorkerKit

/// An open folder, which was reached without following a link.
///
/// A granted path has no links in it. Between the check and the use somebody may put one there; so
/// each folder on the way is opened from the one before, and a link is an error.
struct Folder: Sendable {
    let descriptor: Descriptor

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: The path as the flow wrote it, for errors.
    ///   - granted: The absolute path without links.
    init(_ path: String, at granted: String) throws(WorkerError) {
        do {
            try self.init(at: granted)
        } catch  where error.number == ENOTDIR && Self.isNoFolder(granted) {
            throw WorkerError("not_a_folder", "'\(path)' is no folder")
        } catch {
            throw WorkerError(error, at: path)
        }
    }

    /// Opens a folder by its absolute path without links.
    init(at granted: String) throws(Failure) {
        #if os(Linux)
            // O_PATH, which the headers keep from Swift; needs no permission to list the folders.
            let passing: Int32 = 0o10_000_000
        #else
            let passing = O_RDONLY
        #endif
        let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        guard var descriptor = Descriptor(open("/", passing | flags)) else { throw Failure(errno) }
        for name in granted.split(separator: "/") {
            guard let next = Descriptor(openat(descriptor.number, String(name), passing | flags))
            else { throw Failure(errno) }
            descriptor = next
        }
        self.descriptor = descriptor
    }

    private static func isNoFolder(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return [.file, .other].contains(FileStatus(status).kind)
    }

    /// What stands under a name; a link is not followed. Nil if there is nothing.
    func status(of name: String) throws(Failure) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure(errno)
        }
        return FileStatus(status)
    }

    /// The folder again, open for reading, which an open path is not.
    func opened() throws(Failure) -> Descriptor {
        guard
            let descriptor = Descriptor(
                openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        else { throw Failure(errno) }
        return descriptor
    }

    /// All that is in the folder but `.` and `..`, in the order of the names' bytes.
    ///
    /// - Parameters:
    ///   - path: The path as the flow wrote it, for errors.
    ///   - limit: The most entries that the folder may have.
    func entries(
        of path: String, limit: Int = 10_000
    ) throws(WorkerError) -> [(name: String, status: FileStatus)] {
        let entries = try at(path) { () throws(Failure) in try readEntries(limit + 1) }
        guard entries.count <= limit else {
            throw WorkerError(
                "too_large", "'\(path)' has more than \(limit) entries",
                help: "name a smaller folder")
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The first entries, at most so many.
    private func readEntries(
        _ most: Int
    ) throws(Failure) -> [(name: String, status: FileStatus)] {
        // The stream closes what it reads from.
        let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Failure(errno) }
        guard let stream = fdopendir(number) else {
            close(number)
            throw Failure(errno)
        }
        defer { closedir(stream) }
        var entries: [(name: String, status: FileStatus)] = []
        while entries.count < most, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 }.map(CChar.init(bitPattern:))) + [0]
            }
            var status = stat()
            // What was removed meanwhile is left out.
            guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                continue
            }
            let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text != ".", text != ".." { entries.append((text, FileStatus(status))) }
        }
        return entries
    }
}
