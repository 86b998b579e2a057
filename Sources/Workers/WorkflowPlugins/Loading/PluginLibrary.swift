import CWorkflowPlugin
import LibC
import WorkerKit

struct PluginLibrary {
    let plugin: Plugin

    static func locate(_ path: String) throws(PluginError) -> String {
        var status = stat()
        guard let file = FilePath.realPath(of: path), stat(file, &status) == 0 else {
            throw PluginError(.noFile, "there is no file '\(path)'")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.noLibrary, "'\(path)' is not a file")
        }
        return file
    }

    /// Loads the library at an absolute path. A refused library stays loaded, because its code may
    /// have started something.
    init(file: String) throws(PluginError) {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        try SwiftRuntime.check(file, named: name)
        // NOW shows missing symbols here. LOCAL, because the entries of all plugins have one name.
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason is given"
            throw PluginError(.noLibrary, "'\(name)' cannot be loaded: \(reason)")
        }
        guard let symbol = dlsym(library, WORKFLOW_PLUGIN_ENTRY) else {
            throw PluginError(
                .noPlugin, "'\(name)' is not a plugin: it has no symbol \(WORKFLOW_PLUGIN_ENTRY)")
        }
        typealias Entry =
            @convention(c) (UnsafePointer<workflow_host>?) -> UnsafePointer<workflow_plugin>?
        // Sound because the interface gives the symbol this type.
        let entry = unsafeBitCast(symbol, to: Entry.self)
        guard let table = entry(HostTable.pointer) else {
            throw PluginError(
                .wrongVersion, "the plugin '\(name)' refuses this host",
                help: "build it for version \(WORKFLOW_PLUGIN_ABI) of the plugin interface")
        }
        plugin = try PluginTable(of: name).read(table)
    }
}
