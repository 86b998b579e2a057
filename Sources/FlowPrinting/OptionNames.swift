package import WorkflowLua

/// The options that stand for what the libraries call by its name in Swift.
///
/// Next steps say `limits.timeLimit` in all libraries; the printers put the option in its place.
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

    /// A text with options in it.
    package static func inserted(in text: String) -> String {
        options.reduce(text) { text, option in
            text.replacing(option.name, with: option.option)
        }
    }
}

extension FlowError {
    /// The error with a next step that names options.
    package var withOptions: FlowError {
        var error = self
        error.help = help.map(OptionNames.inserted)
        return error
    }
}
