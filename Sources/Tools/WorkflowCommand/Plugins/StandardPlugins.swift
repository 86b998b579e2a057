import ClockPlugin
import FilePlugin
import FlowPrinting
import ProcessPlugin
package import SessionPlugin
import WorkerKit
import WorkflowLua
import WorkflowPlugins

package enum StandardPlugins {
    /// The place of the service that the workers `session.…` reach.
    package static let sessions = SessionServiceSlot()

    static let compiledIn: [Plugin] = [
        ClockPlugin.plugin, FilePlugin.plugin, ProcessPlugin.plugin,
        SessionPlugin.plugin(in: sessions),
    ]

    /// The plugins in separate libraries, which take longer to load.
    private static let separate = ["http", "sqlite"]

    /// Registers the installed ones, and names the others as missing. Their libraries are in the
    /// executable's folder, or in `lib/workflow-run` beside that folder.
    static func offer(to registry: WorkerRegistry, besideProgramIn folder: String?) {
        let linked = LinkedParts.current.plugins.map(\.name)
        for plugin in separate where !linked.contains(plugin) {
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
