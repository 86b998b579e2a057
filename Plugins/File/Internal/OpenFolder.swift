import LibC
import WorkerKit

/// A folder that was opened without following a link.
///
/// A granted path contains no links. Somebody could add one between the check and the use. So each
/// folder is opened from its parent, and a link is an error.
struct OpenFolder: Sendable {
    let descriptor: Descriptor

    /// Opens a folder by its absolute path without links. `path` is the flow's, for errors.
    init(_ path: String, at granted: String) throws(WorkerError) {
        do {
            try self.init(at: granted)
        } catch  where error.number == ENOTDIR && Self.isNoFolder(granted) {
            throw WorkerError("not_a_folder", "'\(path)' is not a folder")
        } catch {
            throw WorkerError(error, at: path)
        }
    }

    init(at granted: String) throws(Failure) {
        #if os(Linux)
            // O_PATH, which Swift cannot import. It needs no permission to list the folders.
            let passing: Int32 = 0o10_000_000
        #else
            let passing = O_RDONLY
        #endif
        let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var descriptor = try Descriptor(open("/", passing | flags))
        for name in granted.split(separator: "/") {
            descriptor = try Descriptor(openat(descriptor.number, String(name), passing | flags))
        }
        self.descriptor = descriptor
    }

    private static func isNoFolder(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return [.file, .other].contains(FileStatus(status).kind)
    }

    /// The status of a name, without following a link; nil if it does not exist.
    func status(of name: String) throws(Failure) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure(errno)
        }
        return FileStatus(status)
    }

    /// Opens the folder for reading, which an O_PATH descriptor does not allow.
    func opened() throws(Failure) -> Descriptor {
        try Descriptor(openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// All entries but `.` and `..`, sorted by name, in bytes. `path` is the flow's, for errors.
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

    private func readEntries(
        _ most: Int
    ) throws(Failure) -> [(name: String, status: FileStatus)] {
        // The stream closes this descriptor.
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
            // Files that were removed meanwhile are skipped.
            guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                continue
            }
            let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text != ".", text != ".." { entries.append((text, FileStatus(status))) }
        }
        return entries
    }
}
