import ArgumentParser
import FlowChecking
import FlowPrinting
import FlowREPL
import Terminal
import WorkflowLua
import WorkflowPlugins

/// `workflow-run types`: writes definitions for editors.
struct TypesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Writes definitions of the flow API for Lua's language server.",
        usage: "workflow-run types [--output <folder>] [--plugin <library> ...]",
        discussion: """
              workflow-run types --output types
              workflow-run types --output types --plugin libgreeter.so

            Editors that use LuaLS then complete and check context, actions, tests and the workers of \
            plugins. Name the folder in workspace.library of .luarc.json, as workflow-run new does. Without \
            --output the definitions are printed. Exits with 0, or 64 usage, 66 no such plugin, 74 \
            input/output, 78 a plugin cannot be used.
            """)

    /// The file's name, which editors find through `require "workflow"`.
    static let fileName = "workflow.lua"

    @Option(
        help: ArgumentHelp("Write \(fileName) to this folder.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @OptionGroup var plugins: PluginLibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeFullRegistry()
        let text = TypesWriter(workers: registry.workers).text
        if let output {
            let file = try Self.write(text, to: output)
            try printOutput("wrote \(printable(file))\n")
        } else {
            try printOutput(text)
        }
        registry.noteMissing("its workers have no types")
        return .success
    }

    /// Writes the definitions to a folder, replacing earlier ones. Returns the path of the file.
    static func write(_ text: String, to folder: String) throws -> String {
        let file = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/" + fileName
        let old = resolvedPath(file).map { (try? readFile($0).get()) ?? [] }
        if let old, !old.starts(with: TypesWriter.opening.utf8) {
            throw Refusal(
                FlowError(
                    .file, "\(file) is there and was not made by workflow-run types",
                    help: "choose another folder, or move the file away"), .usage)
        }
        try makeFolder(folder)
        try writeFile(file, text)
        return file
    }
}
