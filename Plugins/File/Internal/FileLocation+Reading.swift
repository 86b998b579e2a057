import LibC
import WorkerKit

extension FileLocation {
    /// The file's bytes. The file must not exceed `limit`.
    func read(upTo limit: Int) throws(WorkerError) -> [UInt8] {
        let file = try open()
        var bytes: [UInt8] = []
        // Virtual files of the system report no size.
        while bytes.count <= limit {
            let chunk = try at(path) { () throws(Failure) in
                try file.nextBytes(upTo: min(64 * 1024, limit + 1 - bytes.count))
            }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        throw WorkerError(
            "too_large", "'\(path)' has more than \(limit) bytes", help: "raise max_bytes")
    }

    /// Opens the file if it is a regular one. Does not follow a link, and does not wait for a pipe.
    private func open() throws(WorkerError) -> Descriptor {
        // Opening a device can have side effects, so the kind is checked first.
        let kind = try at(path) { () throws(Failure) in
            guard let status = try folder.status(of: name) else { throw Failure(ENOENT) }
            return status.kind
        }
        guard kind == .file else { throw .noFile(path, kind) }
        return try at(path) { () throws(Failure) in
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let file = try Descriptor(openat(folder.descriptor.number, name, flags))
            guard try file.status().kind == .file else { throw Failure.changed }
            return file
        }
    }
}

extension Descriptor {
    /// The next bytes; none at the end.
    fileprivate func nextBytes(upTo count: Int) throws(Failure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat {
                result = read(number, buffer.baseAddress, count)
            } while result < 0 && errno == EINTR
            if result < 0 { failure = errno }
            filled = max(result, 0)
        }
        guard failure == 0 else { throw Failure(failure) }
        return bytes
    }
}
