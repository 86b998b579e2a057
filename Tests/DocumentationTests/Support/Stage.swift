import Foundation
import TestSupport

/// A temporary folder in which the commands of a page run as at the top of the repository, removed with the stage.
final class Stage {
    /// Whether the pages are to be written anew with what is shown now.
    static let isUpdating = ProcessInfo.processInfo.environment["DOCUMENTATION_UPDATE"] == "1"

    private let temporary: TemporaryFolder
    private let environment: [String: String]
    private var others: [ShellProcess] = []

    init() throws {
        let files = FileManager.default
        temporary = try TemporaryFolder()
        let folder = temporary.url
        for name in ["Scripts", "bin", "home", "home/tmp"] { try temporary.makeFolder(name) }
        // The script builds the program first, which is there already.
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
            // Lines are typed and shown as they are.
            "TERM": "dumb", "NO_COLOR": "1", "HOME": home, "XDG_STATE_HOME": home,
            "TMPDIR": temporary.path("home/tmp"), "PYTHONDONTWRITEBYTECODE": "1",
        ]
    }

    var folder: URL { temporary.url }
    func text(_ path: String) throws -> String { try temporary.text(of: path) }
    func write(_ text: String, to path: String) throws { try temporary.write(text, to: path) }

    deinit { for process in others { process.end() } }

    /// Starts a command that goes on as long as the stage, and waits until it has made a file.
    func start(_ command: Command, untilItMakes file: String) async throws {
        others.append(
            try ShellProcess(
                "exec " + command.text, in: folder, environment: environment, isOnTerminal: false))
        let end = ContinuousClock.now + .seconds(ShellProcess.patience)
        while !FileManager.default.fileExists(atPath: temporary.path(file)), .now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Runs a command; gives what it shows, and its exit status.
    func run(_ command: Command) async throws -> (shown: [String], status: Int32) {
        let program = try ShellProcess(
            command.text, in: folder, environment: environment,
            isOnTerminal: command.isConversation)
        if command.isConversation {
            // What stands before a prompt is waited for, so that nothing is typed too early.
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
        // What a reader sees has a folder of the reader's own.
        var lines = text.replacingOccurrences(of: folder.path, with: "/home/you")
            .components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        return (lines, status)
    }
}
