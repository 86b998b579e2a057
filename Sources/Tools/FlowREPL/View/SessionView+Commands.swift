package import WorkflowLua

extension SessionView {
    /// Executes a dot command. Returns the lines to show; `nil` if the run is to end.
    package func execute(_ text: String) async throws(FlowError) -> [String]? {
        let (command, argument) = try DotCommand.parse(text)
        return try await execute(command, argument)
    }

    func execute(_ command: DotCommand, _ argument: String) async throws(FlowError) -> [String]? {
        switch command {
        case .help: return try DotCommand.help(argument, in: DotCommand.ofRuns, style, columns)
        case .actions: return await actions()
        case .tree: return await tree()
        case .state: return try await state(of: argument)
        case .rendering: return try await rendering(at: argument)
        case .workers: return await workers()
        case .undo: try await session.go(to: try await stepBack(argument))
        case .redo: try await session.go(to: try await stepForward(argument))
        case .goto: try await session.go(to: try await step(argument, for: "goto"))
        case .exit: return nil
        default:
            throw FlowError(.onlyInREPL, command.rawValue)
        }
        return []
    }
}
