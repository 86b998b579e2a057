import ArgumentParser
import FlowPrinting
import FlowREPL
import Terminal
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The option that adds plugins, for commands that run no workers.
struct PluginLibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("plugin"),
        help: ArgumentHelp("Load a plugin; may be repeated.", valueName: "library"),
        completion: .file(extensions: [String(PluginSearch.ending.dropFirst())]))
    var libraries: [String] = []

    /// The workers at hand: those of the program, those of `--plugin` and of
    /// `WORKFLOW_PLUGIN_PATH`, and those of the libraries that come with the program, which are
    /// loaded when a worker of theirs is first asked for.
    ///
    /// - Throws: A ``Refusal`` for a missing file, or a plugin that cannot be used.
    func makeRegistry() throws(Refusal) -> WorkerRegistry {
        try makeRegistry(
            pathList: environmentVariable("WORKFLOW_PLUGIN_PATH"), programFolder: programFolder)
    }

    /// The same, for an environment and a program that are given.
    func makeRegistry(
        pathList: String?, programFolder: String?
    ) throws(Refusal) -> WorkerRegistry {
        do throws(PluginError) {
            let registry = try WorkerRegistry(StandardPlugins.compiledIn)
            for library in libraries { try registry.load(library) }
            for library in PluginSearch.libraries(inPathList: pathList ?? "") {
                try registry.load(library)
            }
            StandardPlugins.offer(to: registry, besideProgramIn: programFolder)
            return registry
        } catch {
            throw Refusal(error)
        }
    }

    /// All workers, with the libraries that come with the program loaded too.
    func makeFullRegistry() throws(Refusal) -> WorkerRegistry {
        let registry = try makeRegistry()
        do throws(PluginError) { try registry.loadOffers() } catch { throw Refusal(error) }
        return registry
    }
}
