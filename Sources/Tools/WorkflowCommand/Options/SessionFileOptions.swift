import ArgumentParser
import FlowPrinting
import FlowREPL
import LibC
import Terminal
import WorkflowKit
import WorkflowLua

/// The options for files of a session: recording, snapshots and socket.
struct SessionFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Record the session into a new file.", valueName: "file"),
        completion: .file())
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Keep the values of fields of this name out of recordings and browsers; repeatable.",
            valueName: "field"))
    var secret: [String] = []

    @Option(
        help: ArgumentHelp("Go on from the snapshot in this file.", valueName: "file"),
        completion: .file())
    var restore: String?

    @Flag(help: "Go on with what of the snapshot fits the flow.")
    var lenient = false

    @Option(
        help: ArgumentHelp("Save a snapshot at the end.", valueName: "file"), completion: .file())
    var save: String?

    @Option(
        help: ArgumentHelp("Let workflow-run attach in at this socket.", valueName: "path"),
        completion: .file())
    var listen: String?

    func validate() throws {
        guard !lenient || restore != nil else {
            throw ValidationError("--lenient goes with --restore.")
        }
    }

    /// Checks the options against those of the page.
    func check(isInspected: Bool) throws {
        guard secret.isEmpty || record != nil || listen != nil || isInspected else {
            throw ValidationError("--secret goes with --record, --inspect and --listen.")
        }
    }

    /// Makes sure, before anything is written, that no file is written over that is a source of
    /// something; `audit` is the file of `--audit`.
    func checkOutputs(besides audit: String?) throws(Refusal) {
        if let save { try ReplacedFile.snapshot.require(save, for: "--save") }
        if let audit { try ReplacedFile.audit.require(audit, for: "--audit") }
        var status = stat()
        if let record, lstat(record, &status) == 0 {
            throw Refusal(FlowError(.existingRecording, printable(record)), .usage)
        }
        try ReplacedFile.requireDifferent(
            [("--record", record), ("--save", save), ("--audit", audit)])
    }

    /// The recording to write, if requested.
    func makeJournal() throws -> FlowJournal? {
        guard let record else { return nil }
        do throws(FlowError) {
            return try FlowJournal(path: record, secrets: Set(secret))
        } catch {
            throw Refusal(error, .io)
        }
    }

    /// The snapshot to resume, if there is one.
    func readSnapshot() throws -> FlowSnapshot? {
        guard let restore else { return nil }
        guard let resolved = resolvedPath(restore) else { throw FlowError(.noFile, restore) }
        let bytes: [UInt8]
        switch readFile(resolved, limit: 1 << 30) {
        case .success(let read): bytes = read
        case .failure(let failure):
            throw FlowError(.unreadable, restore, failure.reason)
        }
        do throws(FlowError) {
            var snapshot = try FlowSnapshot(json: bytes)
            snapshot.isLenient = lenient
            return snapshot
        } catch {
            var error = error
            error.location = .init(file: restore, line: 0)
            throw error
        }
    }

    /// Saves a snapshot of the session, if requested. After an error, the file is unchanged.
    func saveSnapshot(of session: some REPLSession) async throws {
        guard let save else { return }
        // What is there may be another file by now.
        try ReplacedFile.snapshot.require(save, for: "--save")
        try writeFile(save, try await session.snapshot().prettyJSON + "\n")
    }
}
