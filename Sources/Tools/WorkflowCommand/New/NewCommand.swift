import ArgumentParser
import FlowChecking
import FlowPrinting
import FlowREPL
import WorkflowLua
import WorkflowPlugins

struct NewCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a flow with a test and settings for editors.",
        usage: "workflow-run new <name> [--plugin <library> ...]",
        discussion: """
              workflow-run new counter

            Makes the folder counter with counter.lua, counter_test.lua, .luarc.json and \
            types/workflow.lua. What is there already is never changed. Exits with 0, or 64 usage, \
            66 no such plugin, 74 input/output, 78 a plugin cannot be used.
            """)

    @Argument(help: "The flow's name, such as shopping_list.")
    var name: String

    @OptionGroup var plugins: PluginLibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeFullRegistry()
        let types = TypesWriter(workers: registry.workers).text
        try printOutput(try Self.make(name, types: types, in: nil))
        registry.noteMissing("its workers have no types")
        return .success
    }

    /// Creates the files of a flow in a folder, by default the current one. Returns a message.
    static func make(_ text: String, types: String, in folder: String?) throws -> String {
        let name: FlowName
        do throws(FlowName.Fault) {
            name = try FlowName(parsing: text)
        } catch {
            throw Refusal(
                FlowError(
                    .misuse, error.message,
                    help: error.suggestion.map { "try workflow-run new \($0)" }), .usage)
        }
        let root = folder.map { "\($0)/\(name.text)" } ?? name.text
        guard try makeNewFolder(root) else {
            throw Refusal(FlowError(.existingFlow, name.text), .usage)
        }
        try makeFolder(root + "/types")
        let files = NewFlow(name: name, types: types).files
        for (path, text) in files { try writeFile("\(root)/\(path)", text) }
        let made = files.map { "  \(name.text)/\($0.path)\n" }.joined()
        let program = ProgramName.typed.word
        let commands = [
            ("\(program) \(name.text)/\(name.text).lua", "play it"),
            ("\(program) test \(name.text)", "run its test"),
            ("\(program) check \(name.text)", "look for mistakes"),
        ]
        let width = commands.map(\.0.count).max() ?? 0
        let next = commands.map { command, purpose in
            let padding = String(repeating: " ", count: width - command.count)
            return "  \(command)\(padding)   \(purpose)\n"
        }.joined()
        return "made\n\(made)\nnext\n\(next)"
    }
}
