import ArgumentParser
import FlowPrinting
import FlowREPL
import LibC
import WorkflowLua

/// `workflow-run serve`: replaces this program, which has no server, by the one that serves flows.
struct ServeVerb: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Makes a backend of flows: sessions over HTTP, kept in a file.",
        usage: "workflow-run serve <path> ... [options]",
        discussion: "All options are listed by workflow-run serve --help.")

    @Argument(parsing: .captureForPassthrough, help: "Flows, folders of flows, and options.")
    var arguments: [String] = []

    func perform() async throws -> ExitStatus {
        let name = "workflow-serve"
        guard let program = installedFile(name, besideProgramIn: programFolder) else {
            throw Refusal(
                FlowError(
                    .serviceNotInstalled, name,
                    installation(ofProgramIn: programFolder, byRunning: "serve")), .configuration)
        }
        let words = [CommandLine.arguments.first ?? name] + arguments
        var list = words.map { strdup($0) } + [nil]
        // This returns only if it fails.
        execv(program, &list)
        let reason = String(cString: strerror(errno))
        throw Refusal(FlowError(.serviceNotStarted, program, reason), .configuration)
    }
}
