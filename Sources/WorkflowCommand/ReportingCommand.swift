package import ArgumentParser
package import FlowPrinting
import FlowREPL
package import Terminal

/// A command that returns an exit status, or reports on standard error why it cannot run.
package protocol ReportingCommand: AsyncParsableCommand {
    /// When its messages are coloured; automatic unless it has an option.
    var color: ColorChoice { get }

    /// Runs the command.
    func perform() async throws -> ExitStatus
}

extension ReportingCommand {
    package var color: ColorChoice { .auto }

    package func run() async throws {
        let status: ExitStatus
        do {
            status = try await perform()
        } catch {
            let refusal = Refusal(error)
            color.say(refusal.error)
            status = refusal.status
        }
        if status != .success { throw status }
    }
}

/// Throws unless an argument is valid.
package func check(_ holds: Bool, _ message: String) throws {
    guard holds else { throw ValidationError(message) }
}
