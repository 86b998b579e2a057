import FlowPrinting
import LibC
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Writes a recording of the session.
    func save(to path: String, _ reply: inout REPLReply) async throws(FlowError) {
        guard !path.isEmpty else { throw FlowError(.noFilePath, "save") }
        reply.messages += await news()
        guard let recording = opened.feed.recording else { throw FlowError(.unrecorded) }
        let text = try recording.text(hiding: SecretTexts(options.flowOptions.secrets))
        if opened.isAttached { try checkIsComplete(text) }
        try writeNewFile(path, text)
        let inputs = await session.inputs.count - (narrator.header?.step ?? 0)
        let since = opened.isAttached ? " since you attached" : ""
        reply.say(["  Saved \(printable(path)), \(String.counted(inputs, "step"))\(since)."])
    }

    /// - Throws: A ``FlowError`` if the recording since attaching cannot be replayed.
    private func checkIsComplete(_ text: String) throws(FlowError) {
        guard narrator.header?.snapshot != nil else { throw FlowError(.unkeptState) }
        do throws(FlowError) {
            _ = try FlowRecording(parsing: text)
        } catch {
            throw FlowError(.unplayable, error.message)
        }
    }

    func saveSnapshot(to path: String, _ reply: inout REPLReply) async throws(FlowError) {
        guard !path.isEmpty else { throw FlowError(.noFilePath, "snapshot") }
        let text = try await session.snapshot().prettyJSON
        try writeNewFile(path, text + "\n")
        reply.messages += await news()
        reply.say(["  Saved \(printable(path)), the state at step \(await session.status.step)."])
    }

    /// Opens a flow, or plays a recording.
    func load(_ path: String, _ reply: inout REPLReply) async throws(FlowError) {
        guard !path.isEmpty else { throw FlowError(.noFilePath, "load") }
        guard !opened.isAttached else { throw FlowError(.attached, path) }
        guard let isRecording = Self.isRecording(path) else {
            throw FlowError(.unreadableFile, path)
        }
        if isRecording {
            let (next, messages) = try await Self.openRecording(path, options: options)
            try await enter(next)
            reply.messages += await begin(with: messages)
        } else {
            var flowOptions = options.flowOptions
            // The journal belongs to the previous session.
            flowOptions.journal = nil
            do { try options.setGrants(&flowOptions, path) } catch {
                throw Refusal(error).error
            }
            let next = try await OpenSession.open(
                .file(path), flowOptions: flowOptions, options: options)
            try await enter(next)
            reply.messages += await news()
        }
        reply.say([await headline()])
    }

    /// True if a file is a recording, false if it is a flow; `nil` if it cannot be read.
    static func isRecording(_ path: String) -> Bool? {
        guard let resolved = resolvedPath(path),
            case .success(let bytes) = readFile(resolved, takingUpTo: 256)
        else { return nil }
        // Some editors write a byte order mark first.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { $0 > 0x20 } == UInt8(ascii: "{")
    }

    /// Opens a session at the end of a recording. Also returns the messages about it.
    static func openRecording(
        _ path: String, of flow: String? = nil, options: Options
    ) async throws(FlowError) -> (OpenSession, [REPLMessage]) {
        let recording = try FlowRecording(path: path)
        guard let file = flow ?? recording.header.file else {
            throw FlowError(.noFileInRecording, path)
        }
        let (opened, notes) = try await OpenSession.replay(
            recording, of: .file(file), options: options)
        var messages = (recording.notes + notes).map {
            REPLMessage.notice("note: \(printable($0))\n")
        }
        messages += REPLMessage.result([
            "  Played \(String.counted(recording.steps.count, "input")). Workers are silent: "
                + "what they did was recorded."
        ])
        return (opened, messages)
    }

    /// The messages after a recording was played. The timeline has its steps, so errors are added.
    func begin(with messages: [REPLMessage]) async -> [REPLMessage] {
        _ = await news()
        guard let error = narrator.log.last?.error else { return messages }
        return messages + [.notice(ErrorPrinter(style: options.errorStyle).text(error))]
    }
}

/// Creates a file with a text; throws if the file exists.
func writeNewFile(_ path: String, _ text: String) throws(FlowError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
        throw errno == EEXIST
            ? FlowError(.existingFile, path) : FlowError(.unmakeable, path, SystemFailure())
    }
    let failure = OutputStream(file: file).write(text)
    guard close(file) == 0, failure == nil else {
        unlink(path)
        throw FlowError(.unwritable, path, SystemFailure())
    }
}
