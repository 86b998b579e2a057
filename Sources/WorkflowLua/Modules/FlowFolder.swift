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
    /// The reason, in a few words.
    package var reason: String

    fileprivate init(number: Int32) { reason = String(cString: strerror(number)) }

    fileprivate init(limit: Int) {
        let unit = limit >= 1 << 30 ? ("GiB", 30) : ("MiB", 20)
        reason = "it is larger than \(limit >> unit.1) \(unit.0)"
    }
}

/// The absolute path with all links resolved, or `nil` if there is no such file.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The bytes of a file, which is refused if they are more than `limit`.
package func readFile(_ path: String, limit: Int = 64 << 20) -> Result<[UInt8], FileFailure> {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(FileFailure(number: errno)) }
    // The size of a pipe is not known before its end.
    let size = Int(status.st_size)
    guard size <= limit else { return .failure(FileFailure(limit: limit)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        if count == 0 { return .success(bytes) }
        if count < 0, errno != EINTR { return .failure(FileFailure(number: errno)) }
        bytes += buffer.prefix(max(count, 0))
        if bytes.count > limit { return .failure(FileFailure(limit: limit)) }
    }
}
