import ArgumentParser
import FlowPrinting
import FlowREPL
import FlowService
import LibC
import PlainValue
import Terminal
import WorkflowCommand
import WorkflowLua

/// `workflow-run serve token`: makes a token.
struct TokenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes a token for somebody who asks a service.",
        usage: "workflow-run serve token <name> --scope <scopes> [--tokens <file>]",
        discussion: """
              workflow-run serve token ada --scope read,act --tokens tokens.txt

            Prints the token, which nobody can find out later, and adds its line to the file. \
            Without a file it prints the line too.
            """)

    @Argument(help: "The name that inputs are kept with.")
    var name: String

    @Option(
        help: ArgumentHelp(
            """
            What it may do: some of read, act, create, travel, delete, inspect, evaluate, with \
            commas; - for nothing.
            """,
            valueName: "scopes"),
        transform: { try Set(parsing: $0) })
    var scope: Set<ServiceScope>

    @Option(
        help: ArgumentHelp("What flows can decide by: a JSON object.", valueName: "json"))
    var claims: String?

    @Option(
        help: ArgumentHelp("Add the line to this file.", valueName: "file"), completion: .file())
    var tokens: String?

    func validate() throws {
        try check(
            ServiceToken.canName(name),
            "A name has 1 to 200 bytes and no blanks, and does not begin with #.")
        try check(
            claims == nil || (try? Value(json: claims ?? ""))?.record != nil,
            "--claims takes a JSON object.")
    }

    func perform() async throws -> ExitStatus {
        let record = claims.flatMap { (try? Value(json: $0))?.record } ?? [:]
        let token = ServiceToken(for: name, scopes: scope, claims: record)
        if let tokens {
            try append(token.line, to: tokens)
            try printOutput("\(token.text)\n")
        } else {
            try printOutput("\(token.text)\n\(token.line)\n")
        }
        return .success
    }

    /// Adds a line to a file, which only its owner may read if it is made.
    private func append(_ line: String, to path: String) throws {
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw unwritable(path) }
        defer { close(file) }
        // An editor may have left the last line without its end.
        var last = UInt8(ascii: "\n")
        let size = lseek(file, 0, SEEK_END)
        if size > 0, pread(file, &last, 1, size - 1) != 1 { throw unwritable(path) }
        let start = last == UInt8(ascii: "\n") ? "" : "\n"
        guard OutputStream(file: file).write(start + line + "\n") == nil else {
            throw unwritable(path)
        }
    }

    private func unwritable(_ path: String) -> Refusal {
        Refusal(FlowError(.unwritable, path, SystemFailure()), .io)
    }
}
