import Clock
import File
import FlowPrinting
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
            if let file = installedFile(name, besideProgramIn: folder) {
                registry.offer(plugin, in: file)
            } else {
                let help = installation(
                    ofProgramIn: folder, byRunning: "plugins \(plugin)",
                    or: ", or load its library with --plugin")
                registry.miss(plugin, help: help)
            }
        }
    }
}
