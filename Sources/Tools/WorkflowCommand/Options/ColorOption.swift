package import ArgumentParser
import FlowPrinting
package import Terminal
package import WorkflowLua

extension ColorChoice: ExpressibleByArgument {
    package static let help = ArgumentHelp("When to use colours.", valueName: "when")

    var output: OutputStyle { OutputStyle(stream: .standardOutput, choice: self) }

    var errors: OutputStyle { OutputStyle(stream: .standardError, choice: self) }

    package func say(_ error: FlowError) {
        errors.stream.write(ErrorPrinter(style: errors.style).text(error))
    }
}
