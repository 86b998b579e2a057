package import ArgumentParser
package import FlowPrinting
import FlowREPL
package import Terminal

/// A command that ends with a status, or says on standard error why it cannot do its work.
package protocol ReportingCommand: AsyncParsableCommand {
    /// When what it says is coloured; automatic unless it has an option for that.
    var color: ColorChoice { get }

    /// Does the work.
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

/// Holds an argument against a rule.
package func check(_ holds: Bool, _ message: String) throws {
    guard holds else { throw ValidationError(message) }
}
