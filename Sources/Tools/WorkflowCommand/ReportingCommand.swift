package import ArgumentParser
package import FlowPrinting
import FlowREPL
package import Terminal
import WorkerKit

/// A command that returns an exit status, or reports on standard error why it cannot run.
package protocol ReportingCommand: AsyncParsableCommand {
    /// The condition for coloured messages; automatic unless it has an option.
    var color: ColorChoice { get }

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

/// Throws unless an option with a time, if it was given, is above 0 and at most a hundred years.
func check(seconds: Double?, _ option: String) throws {
    guard let seconds else { return }
    try check(
        seconds > 0 && seconds <= .mostSeconds,
        "\(option) takes a number of seconds above 0, up to \(Int(Double.mostSeconds)).")
}

package func check(_ holds: Bool, _ message: String) throws {
    guard holds else { throw ValidationError(message) }
}
