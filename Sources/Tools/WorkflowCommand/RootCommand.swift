import ArgumentParser
import LuaVM
import PlainValue
import Terminal
import WorkflowLua

/// `workflow-run` without a subcommand.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workflow-run",
        abstract: "Plays flows: workflows written in Lua.",
        usage: """
            workflow-run Examples/todo/todo.lua
            workflow-run Examples/hello/hello.lua --props '{"name": "you"}'
            workflow-run <flow.lua> [options]
            workflow-run --generate-completion-script bash|zsh|fish
            """,
        version: versionText(of: LuaVM.release),
        subcommands: [
            RunCommand.self, ReplayCommand.self, REPLCommand.self, AttachCommand.self,
            DebugCommand.self, TestCommand.self,
            ExploreCommand.self, CheckCommand.self, NewCommand.self, TypesCommand.self,
            PluginsCommand.self,
            LinkedParts.current.serve ?? ServeVerb.self,
        ])

    static let version = "0.1.0"

    /// The output of `--version`: those of the program and its Lua, and the known bugs of that Lua.
    static func versionText(of release: String) -> String {
        let bugs = LuaVM.openBugs(of: release)
        let first = "workflow-run \(version) (Lua \(release))"
        if bugs.isEmpty { return first }
        return first + "\nwarning: this Lua has bugs by which a flow can harm its host: "
            + bugs.joined(separator: "; ") + "\nhelp: use Lua 5.4.4, or 5.4.6 or later"
    }

    static let verbs = configuration.subcommands.map { $0._commandName } + ["help"]
}

/// A first word that is neither a subcommand nor a file, or an unknown topic of `help`.
struct UnknownVerb: Error {
    let word: String
    var isTopic = false

    var message: String {
        (isTopic
            ? "there is no command '\(printable(word))'"
            : "'\(printable(word))' is neither a command nor a file")
            + didYouMean(word, among: RootCommand.verbs)
    }

    var help: String {
        if isTopic { return "see workflow-run --help" }
        if let flow = FlowError.flow(near: word) {
            return "did you mean \(printable(flow))? See workflow-run --help, too"
        }
        return
            "give the path of a flow, such as ./\(printable(word)).lua, or see workflow-run --help"
    }
}
