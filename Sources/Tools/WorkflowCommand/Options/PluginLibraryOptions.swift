import ArgumentParser
import FlowPrinting
import FlowREPL
import Terminal
import WorkflowPlugins

/// The option that adds plugins, for commands that do not run workers.
package struct PluginLibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("plugin"),
        help: ArgumentHelp("Load a plugin; may be repeated.", valueName: "library"),
        completion: .file(extensions: [String(PluginSearch.ending.dropFirst())]))
    var libraries: [String] = []

    package init() {}

    /// The available workers: those of the program, of `--plugin`, of `WORKFLOW_PLUGIN_PATH`, and
    /// of the libraries installed with the program, which are loaded on first use.
    ///
    /// - Throws: A ``Refusal`` for a missing file, or a plugin that cannot be used.
    func makeRegistry() throws -> WorkerRegistry {
        try makeRegistry(
            pathList: environmentVariable("WORKFLOW_PLUGIN_PATH"), programFolder: programFolder)
    }

    func makeRegistry(pathList: String?, programFolder: String?) throws -> WorkerRegistry {
        let linked = LinkedParts.current.plugins
        let registry = try WorkerRegistry(StandardPlugins.compiledIn + linked)
        registry.setHelp(forUnknownWorkers: "load the plugin that offers it with --plugin")
        for library in libraries {
            do throws(PluginError) { try registry.load(library) } catch {
                throw Refusal(plugin: error)
            }
        }
        // The page's library is in the same folder as an installed program's plugins.
        for library in PluginSearch.libraries(inPathList: pathList ?? "")
        where !library.hasSuffix("/\(InspectorLibrary.fileName)") {
            do throws(PluginError) { try registry.load(library) } catch {
                throw Refusal(plugin: error, help: "the path is from WORKFLOW_PLUGIN_PATH")
            }
        }
        StandardPlugins.offer(to: registry, besideProgramIn: programFolder)
        return registry
    }

    /// All workers. Also loads the libraries installed with the program.
    func makeFullRegistry() throws -> WorkerRegistry {
        let registry = try makeRegistry()
        do throws(PluginError) { try registry.loadOffers() } catch { throw Refusal(plugin: error) }
        return registry
    }
}
