#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of a flow file: the only place that its `require` reaches.
public struct FlowFolder: Sendable {
    /// The folder with all links resolved.
    public let path: String

    /// The folder at `path`; `nil` if there is none.
    public init?(path: String) {
        guard let resolved = resolvedPath(path) else { return nil }
        self.path = resolved
    }

    /// The modules in this folder, read when they are first required.
    ///
    /// A file that a link leads out of the folder to is refused.
    public var modules: FlowModules {
        FlowModules { name in answer(for: name) }
    }

    private func answer(for name: String) -> FlowModules.Answer {
        let file = FlowModules.file(of: name)
        guard let resolved = resolvedPath(path + "/" + file) else {
            return .missing(known: moduleNames())
        }
        guard resolved.hasPrefix(path == "/" ? path : path + "/") else {
            return .refused("\(file) is a link out of the flow's folder")
        }
        switch readFile(resolved) {
        case .success(let source): return .found(.init(file: file, source: source))
        case .failure(let failure): return .refused("\(file) cannot be read: \(failure.reason)")
        }
    }

    private func moduleNames() -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".lua") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }
}

/// Why a file could not be read.
package struct FileFailure: Error {
    /// The number of the system's error.
    package var number: Int32
    /// The system's words for it.
    package var reason: String { String(cString: strerror(number)) }
}

/// The absolute path with all links resolved, or `nil` if there is no such file.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The bytes of a regular file, at most `limit` and one more, so that a longer one can be told.
package func readFile(_ path: String, limit: Int = 64 << 20) -> Result<[UInt8], FileFailure> {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count <= limit {
        let chunk = 64 << 10
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: chunk))
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { read(file, $0 + start, chunk) } ?? 0
        }
        bytes.removeLast(chunk - max(0, count))
        if count < 0, errno != EINTR { return .failure(FileFailure(number: errno)) }
        if count == 0 { break }
    }
    return .success(bytes)
}
