import ArgumentParser
import FlowChecking
import FlowPrinting
import FlowREPL
import Terminal
import WorkflowLua
import WorkflowPlugins

struct TypesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Writes definitions of the flow API for Lua's language server.",
        usage: "workflow-run types [<flow> ...] [options]",
        discussion: """
              workflow-run types --output types
              workflow-run types todo.lua --output types
              workflow-run types --output types --plugin libgreeter.so

            Editors that use LuaLS then complete and check context, actions, tests and the workers \
            of plugins. Name the folder in workspace.library of .luarc.json, as workflow-run new \
            does. With a flow they know its state, props and actions as well, as far as its text \
            shows them: write ---@class Todo: todo.Definition above its table. Without --output \
            the definitions are printed. Exits with 0, or 64 usage, 65 the flow is wrong, 66 no \
            such file, 74 input/output, 78 a plugin cannot be used.
            """)

    /// The file's name, which editors find through `require "workflow"`.
    static let fileName = "workflow.lua"

    @Argument(
        help: ArgumentHelp("Flows to define classes for.", valueName: "flow"),
        completion: .file(extensions: ["lua"]))
    var flows: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write \(fileName), and a file for each flow, to this folder.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @OptionGroup var plugins: PluginLibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeFullRegistry()
        var files = [(Self.fileName, TypesWriter(workers: registry.workers).text)]
        for flow in flows {
            let types = try FlowTypesWriter(flow, registry: registry)
            files.append(("\(types.name)_types.lua", types.text))
        }
        if let output {
            for (name, text) in files {
                let file = try Self.write(text, to: output, named: name)
                try printOutput("wrote \(printable(file))\n")
            }
        } else {
            let shown = flows.isEmpty ? files : Array(files.dropFirst())
            try printOutput(shown.map(\.1).joined(separator: "\n"))
        }
        registry.noteMissing("its workers have no types")
        return .success
    }

    /// Writes the definitions to a folder, replacing earlier ones. Returns the path of the file.
    static func write(
        _ text: String, to folder: String, named name: String = fileName
    ) throws -> String {
        let file = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/" + name
        let old = resolvedPath(file).map { (try? readFile($0).get()) ?? [] }
        if let old, !old.starts(with: TypesWriter.opening.utf8),
            !String(decoding: old, as: UTF8.self).contains(TypesWriter.origin)
        {
            throw Refusal(FlowError(.otherTypes, file), .usage)
        }
        try makeFolder(folder)
        try writeFile(file, text)
        return file
    }
}
