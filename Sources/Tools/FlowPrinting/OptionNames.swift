package import WorkflowLua

/// Replaces Swift names in messages by command line options.
///
/// The libraries mention `limits.timeLimit`; the printers show `--max-time` instead.
package enum OptionNames {
    private static let options = [
        (name: "limits.timeLimit", option: "--max-time"),
        (name: "limits.instructionLimit", option: "--max-instructions"),
        (name: "limits.memoryLimit", option: "--max-memory"),
        (name: "into the WorkerRegistry", option: "with --plugin"),
        (name: "a FlowJournal writes", option: "--record FILE writes"),
        (name: "FlowSnapshot.json gives", option: "--save FILE writes"),
        (name: "FlowSnapshot.isLenient", option: "--lenient"),
        (name: "FlowTestOptions.updatesGoldens", option: "workflow-run test --update"),
    ]

    /// The text with options in place of Swift names.
    package static func inserted(in text: String) -> String {
        options.reduce(text) { text, option in
            text.replacing(option.name, with: option.option)
        }
    }
}

extension FlowError {
    /// The error with options in its next step.
    package var withOptions: FlowError {
        var error = self
        error.help = help.map(OptionNames.inserted)
        return error
    }
}
