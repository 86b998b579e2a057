import LibC
import LuaVM

/// The folder of a flow file, which can `require` modules from it and from libraries only.
public struct FlowFolder: Sendable {
    /// The folder with all links resolved.
    public let path: String
    /// The folders of shared libraries with all links resolved.
    private let libraries: [String]

    /// Opens the folder at `path`; `nil` if there is none.
    ///
    /// ```swift
    /// guard let folder = FlowFolder(path: "flows", libraries: ["/srv/lua"]) else { return }
    /// let flow = try LuaFlow(source: "return require 'item'", modules: folder.modules)
    /// ```
    ///
    /// - Parameter libraries: Folders of modules for several flows, or trees written by LuaRocks.
    public init?(path: String, libraries: [String] = []) {
        guard let resolved = resolvedPath(path) else { return nil }
        self.path = resolved
        self.libraries = libraries.compactMap { folder in
            resolvedPath(folder + "/share/lua/5.4") ?? resolvedPath(folder)
        }
    }

    /// The modules in this folder.
    ///
    /// - Note: A file is read when it is first required, so a change before that has an effect.
    ///
    /// A link that leads out of the folder is refused, and so is anything but a regular file.
    public var modules: FlowModules { modules(upTo: .max) }

    /// The modules in this folder. The rest of a file longer than `limit` is not read.
    package func modules(upTo limit: Int) -> FlowModules {
        var modules = FlowModules { name in answer(for: name, upTo: limit) }
        modules.map = map
        return modules
    }

    /// The source map beside a file, if it can be read and no link leads to another folder.
    private func map(of file: String) -> [UInt8]? {
        for (prefix, folder) in folders(of: file) {
            let start = folder == "/" ? "" : folder
            guard let path = resolvedPath("\(start)/\(file.dropFirst(prefix.count)).map"),
                path.hasPrefix(start + "/")
            else { continue }
            return try? readFile(path, limit: SourceMap.mostBytes, isRegular: true).get()
        }
        return nil
    }

    private func answer(for name: String, upTo limit: Int) -> FlowModules.Answer {
        guard let (file, resolved, folder) = find(name) else {
            return .missing(known: moduleNames())
        }
        guard resolved.hasPrefix(folder == "/" ? folder : folder + "/") else {
            return .refused("\(file) is a link out of the flow's folder")
        }
        let most = FlowModules.isLibrary(file) ? max(limit, LuaVM.librarySourceLimit) : limit
        switch readFile(resolved, takingUpTo: most, isRegular: true) {
        case .success(let source): return .found(.init(file: file, source: source))
        case .failure(let failure): return .refused("\(file) cannot be read: \(failure.reason)")
        }
    }

    /// The file of a module, its path without links, and the folder in which it was found.
    package func find(_ name: String) -> (file: String, resolved: String, folder: String)? {
        for file in FlowModules.files(of: name) {
            for (prefix, folder) in folders(of: file) {
                let path = "\(folder == "/" ? "" : folder)/\(file.dropFirst(prefix.count))"
                if let resolved = resolvedPath(path) { return (file, resolved, folder) }
            }
        }
        return nil
    }

    /// The folders that may contain a file, with the part of its name that stands for each.
    private func folders(of file: String) -> [(prefix: String, path: String)] {
        file.hasPrefix(FlowModules.sharedFolder)
            ? libraries.map { (FlowModules.sharedFolder, $0) } : [("", path)]
    }

    package func moduleNames() -> [String] {
        let files = (try? fileNames(in: path).get()) ?? []
        return files.filter { $0.hasSuffix(".lua") }.map(\.withoutLua)
    }
}

package struct FileFailure: Error {
    package var reason: String

    fileprivate init(number: Int32) { reason = String(cString: strerror(number)) }

    fileprivate init(reason: String) { self.reason = reason }

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

/// The sorted names in a folder, without `.` and `..`.
package func fileNames(in folder: String) -> Result<[String], FileFailure> {
    guard let directory = opendir(folder) else { return .failure(FileFailure(number: errno)) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return .success(names.sorted())
}

/// Reads the bytes of a file; it fails if there are more than `limit`.
///
/// - Parameters:
///   - most: The maximum number of bytes for the caller. One more byte of a longer file is read.
///   - isRegular: Refuses a pipe or a device, which may have no end.
package func readFile(
    _ path: String, limit: Int = 64 << 20, takingUpTo most: Int = .max,
    isRegular: Bool = false
) -> Result<[UInt8], FileFailure> {
    // Without the flag, opening a pipe would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | (isRegular ? O_NONBLOCK : 0))
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(FileFailure(number: errno)) }
    let kind = status.st_mode & S_IFMT
    guard !isRegular || kind == S_IFREG || kind == S_IFDIR else {
        return .failure(FileFailure(reason: "it is not a regular file"))
    }
    let wanted = most < .max ? max(most, 0) + 1 : .max
    // A pipe has no size before its end, so the limit is checked again below.
    let size = min(Int(status.st_size), wanted)
    guard size <= limit else { return .failure(FileFailure(limit: limit)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < wanted {
        let room = min(buffer.count, wanted - bytes.count)
        let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, room) }
        if count == 0 { break }
        if count < 0, errno != EINTR { return .failure(FileFailure(number: errno)) }
        bytes += buffer.prefix(max(count, 0))
        if bytes.count > limit { return .failure(FileFailure(limit: limit)) }
    }
    return .success(bytes)
}
