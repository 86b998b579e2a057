import ClockPlugin
import FilePlugin
import PlainValue
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The settings of a board: what its widgets are given, and what they may do.
///
/// - Parameters:
///   - widgets: The names of the widgets.
///   - folder: The folder whose files they may read.
nonisolated func boardOptions(
    user: String, widgets: [String], folder: String
) throws -> FlowOptions {
    let names = Value.List(widgets.map { .string($0) })
    var options = FlowOptions(props: ["user": .string(user), "widgets": .list(names)])
    options.registerNativeWorkflows = { natives in
        natives.register("board", props: Board.Props.self, actions: Board.Act.self) {
            props, scripts in
            Board(props: props) { name, props in
                try scripts.workflow(name, props: props).mapRendering(\.value).asAnyWorkflow()
            }
        }
    }
    options.limits.timeLimit = .seconds(5)
    options.limits.instructionLimit = 1_000_000
    options.limits.memoryLimit = 16 << 20
    options.maximumDepth = 50
    options.plugins = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
    options.grants = Grants([Grant("file.read", folder)], folder: folder)
    return options
}

/// Opens a session of a board with the texts of its widgets, by their names.
nonisolated func openBoard(
    _ widgets: [String: String], options: FlowOptions, restoring snapshot: FlowSnapshot? = nil
) async throws -> FlowSession {
    try await FlowSession.open(
        .native("board", modules: widgets), options: options, restoring: snapshot)
}
