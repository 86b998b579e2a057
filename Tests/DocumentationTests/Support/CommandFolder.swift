import Foundation
import TestSupport

/// A temporary folder where the commands of a page run as if at the top of the repository.
final class CommandFolder {
    /// True to update the pages with the present output.
    static let isUpdating = ProcessInfo.processInfo.environment["DOCUMENTATION_UPDATE"] == "1"

    private let temporary: Folder
    private let environment: [String: String]
    private var others: [ShellProcess] = []

    init() throws {
        let files = FileManager.default
        temporary = try Folder()
        let folder = temporary.url
        for name in ["Scripts", "bin", "home", "home/tmp"] { try temporary.makeFolder(name) }
        // The script would build the program first, but it is built already.
        let program = try Repository.workflowRun()
        for name in ["Scripts/run", "bin/workflow-run"] {
            try files.createSymbolicLink(
                at: folder.appendingPathComponent(name), withDestinationURL: program)
        }
        for name in ["Examples", "Plugins", "Sources"] {
            try files.createSymbolicLink(
                at: folder.appendingPathComponent(name),
                withDestinationURL: URL(fileURLWithPath: Repository.root + name))
        }
        let home = temporary.path("home")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "PATH": temporary.path("bin") + ":" + path,
            // Lines are typed and shown without editing.
            "TERM": "dumb", "NO_COLOR": "1", "HOME": home, "XDG_STATE_HOME": home,
            "TMPDIR": temporary.path("home/tmp"), "PYTHONDONTWRITEBYTECODE": "1",
        ]
    }

    var folder: URL { temporary.url }
    func text(_ path: String) throws -> String { try temporary.text(of: path) }
    func write(_ text: String, to path: String) throws { try temporary.write(text, to: path) }

    deinit { for process in others { process.end() } }

    /// Starts a command that runs as long as the stage, and waits until it has made a file.
    func start(_ command: Command, untilItMakes file: String) async throws {
        others.append(
            try ShellProcess(
                "exec " + command.text, in: folder, environment: environment, isOnTerminal: false))
        let end = ContinuousClock.now + .seconds(ShellProcess.patience)
        while !FileManager.default.fileExists(atPath: temporary.path(file)), .now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func run(_ command: Command) async throws -> (shown: [String], status: Int32) {
        let program = try ShellProcess(
            command.text, in: folder, environment: environment,
            isOnTerminal: command.isConversation)
        if command.isConversation {
            // Waits for the output before each prompt, so that nothing is typed too early.
            var before: [String] = []
            for line in command.shown {
                guard let (prompt, typed) = Command.prompted(line) else {
                    before.append(line)
                    continue
                }
                let isAsShown = await program.waits(
                    for: (before + [prompt]).joined(separator: "\n"))
                guard isAsShown || Self.isUpdating else {
                    program.end()
                    break
                }
                program.type(typed + "\n")
                before.append(line)
            }
        }
        let (text, status) = await program.finish()
        // Readers see a folder of their own.
        var lines = text.replacingOccurrences(of: folder.path, with: "/home/you")
            .components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        return (lines, status)
    }
}
