package import ArgumentParser
import FlowPrinting
package import Terminal
package import WorkflowLua

// The option --color.
extension ColorChoice: ExpressibleByArgument {
    package static let help = ArgumentHelp("When to use colours.", valueName: "when")

    /// Standard output and its style.
    var output: OutputStyle { OutputStyle(stream: .standardOutput, choice: self) }

    /// Standard error and its style.
    var errors: OutputStyle { OutputStyle(stream: .standardError, choice: self) }

    /// Prints an error on standard error.
    package func say(_ error: FlowError) {
        errors.stream.write(ErrorPrinter(style: errors.style).text(error))
    }
}
