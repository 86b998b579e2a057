import FlowPrinting
import PlainValue
import Terminal
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The plugins and their workers, as the command `plugins` shows them.
struct PluginList {
    private let entries: [(entry: WorkerRegistry.Entry, workers: [WorkerDefinition])]

    /// All plugins, or the plugin or worker with a name; throws if there is neither.
    init(_ registry: WorkerRegistry, named name: String?) throws {
        let plugins = registry.plugins
        let all = plugins.map { entry in
            (entry, entry.plugin.workers.sorted { $0.name < $1.name })
        }
        guard let name else {
            entries = all
            return
        }
        entries = all.compactMap { entry, workers in
            if entry.plugin.name == name { return (entry, workers) }
            let named = workers.filter { $0.name == name }
            return named.isEmpty ? nil : (entry, named)
        }
        guard entries.isEmpty else { return }
        let plugin = name.prefix { $0 != "." }
        if let missing = registry.missing.first(where: { $0.plugin == plugin }) {
            throw FlowError(.unknownWorker, "the plugin \(plugin) is not built", help: missing.help)
        }
        let names = plugins.flatMap { [$0.plugin.name] + $0.plugin.workers.map(\.name) }
        throw FlowError(.noPlugin, name, didYouMean(name, among: names))
    }

    // MARK: For people

    func text(_ style: Style, isDetailed: Bool) -> String {
        entries.map { entry, workers in
            let place = entry.file ?? "part of workflow-run"
            let head =
                "\(style.bold(printable(entry.plugin.name))) \(printable(entry.plugin.version))"
                + "  \(style.dim(printable(place)))\n"
            if isDetailed { return head + workers.map { details(of: $0, style) }.joined() }
            let width = workers.map(\.name.count).max() ?? 0
            return head
                + workers.map { worker in
                    let padding = String(repeating: " ", count: width - worker.name.count)
                    let name = style.cyan(printable(worker.name))
                    return "  \(name)\(padding)  \(printable(worker.summary))\n"
                }.joined()
        }.joined(separator: "\n")
    }

    private func details(of worker: WorkerDefinition, _ style: Style) -> String {
        let needs =
            worker.needs.isEmpty
            ? "nothing to be granted" : worker.needs.map(Self.option).joined(separator: " ")
        return """

              \(style.cyan(printable(worker.name)))  \(printable(worker.summary))
                input   \(printable("\(worker.input)"))
                output  \(printable("\(worker.output)"))
                needs   \(printable(needs))

            """
    }

    /// The option that grants a need, such as `--allow http=<host of url>`.
    private static func option(_ need: WorkerNeed) -> String {
        guard let field = need.field else { return "--allow \(need)" }
        return "--allow \(need.kind)=<\(need.kind == "http" ? "host of " : "")\(field)>"
    }

    // MARK: For programs

    var json: String {
        entries.map { entry, workers in
            let list: [Value] = workers.map { worker in
                [
                    "name": .string(worker.name), "summary": .string(worker.summary),
                    "input": .string("\(worker.input)"), "output": .string("\(worker.output)"),
                    "needs": .list(.init(worker.needs.map { .string("\($0)") })),
                ]
            }
            let value: Value = [
                "name": .string(entry.plugin.name), "version": .string(entry.plugin.version),
                "file": entry.file.map(Value.string) ?? .null, "workers": .list(.init(list)),
            ]
            return value.json + "\n"
        }.joined()
    }
}

extension WorkerRegistry {
    /// Reports on standard error the plugins that could not be listed, and how to get them.
    func noteMissing(_ what: String) {
        for (plugin, help) in missing {
            let help = ProgramName.typed.inserted(in: help)
            OutputStream.standardError.write(
                printable("note: the plugin \(plugin) is not built, so \(what); \(help)") + "\n")
        }
    }
}
