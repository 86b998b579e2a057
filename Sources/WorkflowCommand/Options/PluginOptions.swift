import ArgumentParser
import FlowPrinting
import FlowREPL
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The options that say which workers there are, and what they may reach.
///
/// ```swift
/// @OptionGroup var plugins: PluginOptions
/// …
/// options.plugins = try plugins.makeRegistry()
/// options.grants = try plugins.makeGrants(forFlow: path)
/// ```
struct PluginOptions: ParsableArguments {
    @OptionGroup var libraries: PluginLibraryOptions

    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp("Let workers reach this; may be repeated.", valueName: "grant"))
    var grants: [String] = []

    /// The workers at hand; see ``PluginLibraryOptions/makeRegistry()``.
    func makeRegistry() throws(Refusal) -> WorkerRegistry { try libraries.makeRegistry() }

    /// The grants of the user; paths start at the flow's folder, or at the current one.
    ///
    /// - Throws: A ``Refusal`` for a text that is no grant.
    func makeGrants(forFlow path: String? = nil) throws(Refusal) -> Grants {
        var parsed: [Grant] = []
        for text in grants {
            do throws(WorkerError) {
                parsed.append(try Grant(parsing: text))
            } catch {
                throw Refusal(
                    FlowError(.misuse, "--allow: \(error.message)", help: error.help), .usage)
            }
        }
        guard let path, path != "-", let file = resolvedPath(path) else { return Grants(parsed) }
        return Grants(
            parsed, folder: "/" + file.split(separator: "/").dropLast().joined(separator: "/"))
    }
}

extension Refusal {
    /// The refusal of a plugin.
    init(_ error: PluginError) {
        let isMissing = error.code == .noFile
        self.init(
            FlowError(
                isMissing ? .file : .unknownWorker, error.message,
                help: isMissing ? "give the path of a plugin's library" : error.help),
            isMissing ? .noInput : .configuration)
    }
}
