import Clock
import File
import Process
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The plugins that come with `workflow-run`.
enum StandardPlugins {
    /// Those that are a part of the program.
    static let compiledIn: [Plugin] = [
        ClockPlugin.plugin, FilePlugin.plugin, ProcessPlugin.plugin,
    ]

    /// Those in libraries of their own, which take longer to load.
    private static let separate = ["http", "sqlite"]

    /// The libraries that are installed, by the names of their plugins.
    ///
    /// They stand beside the executable, or in `lib/workflow-run` beside the executable's folder.
    static func installed(besideProgramIn folder: String?) -> [(plugin: String, file: String)] {
        guard let folder else { return [] }
        return separate.compactMap { plugin in
            let name = "libworkflow-\(plugin)\(PluginSearch.ending)"
            let places = ["\(folder)/\(name)", "\(folder)/../lib/workflow-run/\(name)"]
            return places.first { resolvedPath($0) != nil }.map { (plugin, $0) }
        }
    }
}
