import ArgumentParser
import FlowPrinting
import Terminal

struct PluginsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "Lists the workers that flows can run.",
        usage: "workflow-run plugins [<name>] [options]",
        discussion: """
              workflow-run plugins
              workflow-run plugins clock.after
              workflow-run plugins --plugin libgreeter.so --json

            Shows all plugins and workers in short, or all about those of a name: what a worker \
            takes and gives, and what it must be granted. Exits with 0, or 64 usage, 66 no such \
            plugin, 69 no worker of that name, 78 a plugin cannot be used.
            """)

    @Argument(help: "The name of a plugin or of a worker.", completion: .workers)
    var name: String?

    @Flag(help: "Print a line of JSON for each plugin.")
    var json = false

    @OptionGroup var plugins: PluginLibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeFullRegistry()
        let list = try PluginList(registry, named: name)
        try printOutput(json ? list.json : list.text(color.output.style, isDetailed: name != nil))
        if name == nil { registry.noteMissing("its workers are not listed") }
        return .success
    }
}
