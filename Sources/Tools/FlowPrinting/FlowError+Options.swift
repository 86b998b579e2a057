package import WorkflowLua

extension FlowError {
    /// The error with options in its next step.
    package var withOptions: FlowError {
        var error = self
        error.help = hint?.inOptions
        return error
    }
}

extension FlowError.Hint {
    /// The words with the options of the command line in place of settings.
    var inOptions: String {
        words { setting in
            switch setting {
            case .timeLimit: "--max-time"
            case .instructionLimit: "--max-instructions"
            case .memoryLimit: "--max-memory"
            case .recording: "--record FILE writes"
            case .snapshot: "--save FILE writes"
            case .leniency: "--lenient"
            case .goldens: "workflow-run test --update"
            case .journal: "--record"
            case .socket: "start with --listen PATH"
            case .port: "--port"
            case .token: "workflow-run serve token NAME --scope read,act"
            case .access:
                "give --tokens FILE or --jwks FILE; or --open-to-all, if all may do everything"
            }
        }
    }
}
