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
        let program = try ServeProgram.find(besideProgramIn: programFolder)
        throw Refusal(ServeProgram.start(program, arguments), .configuration)
    }
}

/// The program that serves flows, installed with this one.
enum ServeProgram {
    static let name = "workflow-serve"

    /// The path of the program: in this program's folder, or in `lib/workflow-run` beside it.
    ///
    /// - Throws: A ``Refusal`` if it is missing.
    static func find(besideProgramIn folder: String?) throws -> String {
        guard let file = installedFile(name, besideProgramIn: folder) else {
            throw Refusal(
                FlowError(
                    .serviceNotInstalled, name,
                    installation(ofProgramIn: folder, byRunning: "serve")), .configuration)
        }
        return file
    }

    /// Replaces this process by the program. Returns only if that fails.
    static func start(_ program: String, _ arguments: [String]) -> FlowError {
        let words = [CommandLine.arguments.first ?? name] + arguments
        var list = words.map { strdup($0) } + [nil]
        execv(program, &list)
        let reason = String(cString: strerror(errno))
        return FlowError(.serviceNotStarted, program, reason)
    }
}
