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

    /// Offers those that are installed, and names those that are not.
    ///
    /// Their libraries stand beside the executable, or in `lib/workflow-run` beside the executable's
    /// folder.
    static func offer(to registry: WorkerRegistry, besideProgramIn folder: String?) {
        for plugin in separate {
            let name = "libworkflow-\(plugin)\(PluginSearch.ending)"
            let places =
                folder.map { ["\($0)/\(name)", "\($0)/../lib/workflow-run/\(name)"] } ?? []
            if let file = places.first(where: { resolvedPath($0) != nil }) {
                registry.offer(plugin, in: file)
            } else {
                registry.miss(plugin, help: step(for: plugin, programFolder: folder))
            }
        }
    }

    /// The step that brings a plugin: a program in a clone of the package is built there.
    private static func step(for plugin: String, programFolder: String?) -> String {
        let script = programFolder.flatMap { resolvedPath("\($0)/../../../Scripts/run") }
        guard script != nil else {
            return "install it with Scripts/install, or load its library with --plugin"
        }
        return "build it with Scripts/run plugins \(plugin)"
    }
}
