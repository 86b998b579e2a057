import LibC

/// Finds the libraries of plugins in folders.
///
/// ```swift
/// let registry = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
/// for library in PluginSearch.libraries(in: folder) { try registry.load(library) }
/// ```
public enum PluginSearch {
    /// The file extension of libraries on this platform.
    public static var ending: String {
        #if canImport(Darwin)
            ".dylib"
        #else
            ".so"
        #endif
    }

    /// The paths of the libraries in a list such as `WORKFLOW_PLUGIN_PATH`, whose entries are
    /// separated by `:`. An entry is a folder or a library.
    ///
    /// ```swift
    /// let paths = PluginSearch.libraries(inPathList: "/opt/plugins:extra/libtea.so")
    /// ```
    public static func libraries(inPathList list: String) -> [String] {
        list.split(separator: ":").flatMap { entry in
            entry.hasSuffix(ending) ? [String(entry)] : libraries(in: String(entry))
        }
    }

    /// The sorted paths of the libraries in a folder; none if there is no such folder.
    public static func libraries(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(ending), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }
}
