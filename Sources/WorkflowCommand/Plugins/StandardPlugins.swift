import Clock
import File
import FlowPrinting
import Process
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The plugins of `workflow-run`.
enum StandardPlugins {
    /// The plugins that are part of the program.
    static let compiledIn: [Plugin] = [
        ClockPlugin.plugin, FilePlugin.plugin, ProcessPlugin.plugin,
    ]

    /// The plugins in separate libraries, which take longer to load.
    private static let separate = ["http", "sqlite"]

    /// Registers the installed ones, and names the others as missing.
    ///
    /// Their libraries are in the executable's folder, or in `lib/workflow-run` beside that folder.
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
