import ArgumentParser
import FlowPrinting
import FlowREPL
import Terminal
package import WorkflowPlugins

/// The option that adds plugins, for commands that run no workers.
package struct PluginLibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("plugin"),
        help: ArgumentHelp("Load a plugin; may be repeated.", valueName: "library"),
        completion: .file(extensions: [String(PluginSearch.ending.dropFirst())]))
    var libraries: [String] = []

    package init() {}

    /// The workers at hand: those of the program, those of `--plugin` and of
    /// `WORKFLOW_PLUGIN_PATH`, and those of the libraries that come with the program, which are
    /// loaded when a worker of theirs is first asked for.
    ///
    /// - Throws: A ``Refusal`` for a missing file, or a plugin that cannot be used.
    package func makeRegistry() throws -> WorkerRegistry {
        try makeRegistry(
            pathList: environmentVariable("WORKFLOW_PLUGIN_PATH"), programFolder: programFolder)
    }

    /// The same, for an environment and a program that are given.
    func makeRegistry(
        pathList: String?, programFolder: String?
    ) throws -> WorkerRegistry {
        let registry = try WorkerRegistry(StandardPlugins.compiledIn)
        for library in libraries {
            do throws(PluginError) { try registry.load(library) } catch {
                throw Refusal(plugin: error)
            }
        }
        // The page's library lies in the folder of an installed program's plugins.
        for library in PluginSearch.libraries(inPathList: pathList ?? "")
        where !library.hasSuffix("/\(InspectorLibrary.fileName)") {
            do throws(PluginError) { try registry.load(library) } catch {
                throw Refusal(plugin: error, help: "the path is from WORKFLOW_PLUGIN_PATH")
            }
        }
        StandardPlugins.offer(to: registry, besideProgramIn: programFolder)
        return registry
    }

    /// All workers, with the libraries that come with the program loaded too.
    func makeFullRegistry() throws -> WorkerRegistry {
        let registry = try makeRegistry()
        do throws(PluginError) { try registry.loadOffers() } catch { throw Refusal(plugin: error) }
        return registry
    }
}
