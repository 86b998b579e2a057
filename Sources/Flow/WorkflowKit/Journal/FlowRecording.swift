public import PlainValue
public import WorkflowLua

/// A recording that was read: the start of the session, and each input with its results.
///
/// ```swift
/// let recording = try FlowRecording(path: file)
/// let replayed = try await recording.makeSession(of: .file(tea))
/// let differences = try await recording.replay(in: replayed)
/// ```
public struct FlowRecording: Sendable {
    /// An input and its results.
    public struct Step: Sendable {
        /// The step that the input led to, counted from the beginning of the recording. For an
        /// input that failed, the step that it would have led to.
        public internal(set) var number = 0
        /// The number of the event of the input.
        public var sequence: Int
        /// The input.
        public var input: FlowInput
        /// The rendering after it, if there was a new one.
        public var rendering: Value?
        /// The outputs of the root.
        public var outputs: [Value] = []
        /// The code and the message of the error, if the input caused one.
        public var error: (code: String, message: String)?
        /// True if the error came after the input was applied.
        var failedInRender = false
        /// The moves to other steps after it, and the reloads that kept the state, in order.
        public var moves: [Move] = []
        /// True if the recording ends before all results of this input; a replay ignores that.
        public var isCut = false

        /// True if the input led to a step. An input that failed when it was applied did not.
        public var isStep: Bool { error == nil || rendering != nil || failedInRender }
    }

    /// A move to another step of the timeline, or a reload that kept the state.
    public struct Move: Sendable {
        /// The step; `nil` for a reload, which stays where it is.
        public var step: Int?
        /// The state that the session continued from, if other code had led to it.
        public var snapshot: FlowSnapshot?
        /// The rendering after it, if there was a new one.
        public var rendering: Value?
        /// True if it is a move to the last step, also after the later ones were discarded.
        public internal(set) var isToLast = false
    }

    /// The code that played the inputs up to a reload that kept the state.
    struct EarlierCode {
        let hash: String
        /// The position of the last of the inputs, from 1.
        let last: Int
        /// True if it played all inputs again, so that the recorded results are not its own.
        let hasReplayed: Bool
    }

    /// The start of the session.
    public var header: FlowHeader
    /// The first rendering.
    public var firstRendering: Value?
    /// The moves to other steps of the timeline before the first input, and the reloads.
    public var firstMoves: [Move] = []
    var firstRefusals: [WorkerRefusal] = []
    /// The inputs in order.
    public var steps: [Step] = []
    /// The hash of the flow's files at the end.
    public private(set) var hash: String
    /// The codes that were replaced by reloads that kept the state, oldest first.
    private var earlierCodes: [EarlierCode] = []
    /// The step after which the files were first reloaded and played all inputs again, if any.
    private var reload: Int?
    /// Notes about the recording, a sentence each, for example about a truncated last line.
    public var notes: [String] = []

    /// Makes a recording of inputs without results, from the first input of the session.
    ///
    /// - Parameter header: The start of the session. If it has the number of a step, its snapshot
    ///   is the state that a reload kept there.
    package init(header: FlowHeader, inputs: [FlowInput] = []) {
        self.header = header
        hash = header.hash
        // Cut, since there are no results to compare with.
        steps = inputs.map { Step(sequence: 0, input: $0, isCut: true) }
        if steps.indices.contains(header.step - 1),
            // Without it, all inputs are replayed from the beginning.
            let kept = try? header.snapshot.map(FlowSnapshot.init(document:))
        {
            steps[header.step - 1].moves = [Move(snapshot: kept)]
            earlierCodes = [EarlierCode(hash: "", last: header.step, hasReplayed: false)]
            (self.header.step, self.header.snapshot) = (0, nil)
        }
        numberSteps()
    }

    /// Adds the next event of a session that is still running.
    package mutating func read(_ event: FlowEvent) throws(FlowError) {
        var reader = RecordingReader()
        reader.firstRendering = firstRendering
        reader.firstMoves = firstMoves
        reader.firstRefusals = firstRefusals
        (reader.hash, reader.earlierCodes, reader.reload) = (hash, earlierCodes, reload)
        // Moved, not copied: with a copy, each event would take time in proportion to all steps.
        swap(&reader.steps, &steps)
        defer {
            swap(&reader.steps, &steps)
            firstRendering = reader.firstRendering
            firstMoves = reader.firstMoves
            firstRefusals = reader.firstRefusals
            (hash, earlierCodes, reload) = (reader.hash, reader.earlierCodes, reader.reload)
        }
        try reader.read(event.record)
    }

    /// Numbers the steps as in the recorded session.
    private mutating func numberSteps() {
        var place = firstMoves.last { $0.step != nil }?.step ?? 0
        for index in steps.indices {
            steps[index].number = place + 1
            if steps[index].isStep { place += 1 }
            place = steps[index].moves.last { $0.step != nil }?.step ?? place
        }
    }

    /// True if files with another hash played an input, before a reload that kept the state. Its
    /// position counts from 1; 0 is the beginning.
    package func isOfOtherFiles(_ position: Int, than hash: String) -> Bool {
        let reloads = earlierCodes.firstIndex { $0.last >= position }
        return reloads.map { hasOtherFiles(after: $0, than: hash) } ?? false
    }

    /// True if files with another hash were in force from such a reload, by its index, to the next.
    package func hasOtherFiles(after reloads: Int, than hash: String) -> Bool {
        earlierCodes.indices.contains(reloads) && earlierCodes[reloads].hash != hash
    }

    /// True if the code after a number of reloads that kept the state played all earlier inputs
    /// again, so that nothing recorded tells the steps that it made of them.
    package func hasReplayed(after reloads: Int) -> Bool {
        earlierCodes.indices.contains(reloads) && earlierCodes[reloads].hasReplayed
    }

    /// The number of inputs that lead to a step, also undone ones; `nil` if there is no such step.
    ///
    /// ```swift
    /// let count = recording.inputCount(through: 2)  // 3 if the flow refused an input before it
    /// ```
    public func inputCount(through step: Int) -> Int? {
        guard step > 0 else { return 0 }
        return steps.lastIndex { $0.isStep && $0.number == step }.map { $0 + 1 }
    }

    /// Parses a recording.
    ///
    /// A truncated last line is ignored with a note. Lines may end in CRLF.
    ///
    /// ```swift
    /// do throws(FlowError) { _ = try FlowRecording(parsing: "milk", name: "tea.jsonl") } catch {
    ///     print(error.message)  // not a recording: milk
    /// }
    /// ```
    ///
    /// - Parameter name: The name of the file in messages.
    /// - Throws: A `FlowError` with the code `recording` and the line.
    public init(parsing text: some StringProtocol, name: String = "recording") throws(FlowError) {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if let first = lines.first, first.first == "\u{FEFF}" { lines[0] = first.dropFirst() }
        let last = lines.popLast() ?? ""
        let isCut = !last.isEmpty && (try? Value(json: String(last), limits: .document)) == nil
        if !last.isEmpty, !isCut { lines.append(last) }
        func placed(_ error: FlowError, _ index: Int = 0) -> FlowError {
            var error = error
            // A line may hold a snapshot, whose own errors have another code.
            error.code = .recording
            error.location = .init(file: name, line: index + 1)
            return error
        }
        var header: FlowHeader?
        var reader = RecordingReader()
        var order = RecordingOrder()
        for (index, line) in lines.enumerated() where !line.isEmpty {
            do throws(FlowError) {
                let record = try RecordingReader.record(of: line, isFirst: header == nil)
                if reader.steps.isEmpty, record["type"] == "ready" {
                    // An earlier beginning without inputs had no effect: another process began the
                    // same stored session at the same time.
                    (header, reader, order) = (nil, RecordingReader(), RecordingOrder())
                }
                try order.check(record, isSealed: TextSum.isIn(line))
                if header == nil {
                    header = try RecordingReader.header(record)
                    (reader.start, reader.hash) = (header?.step ?? 0, header?.hash ?? "")
                } else {
                    try reader.read(record)
                }
            } catch {
                throw placed(error, index)
            }
        }
        guard let header else {
            throw placed(
                isCut ? FlowError(.noRecording, last.prefix(60)) : FlowError(.emptyRecording))
        }
        self.header = header
        hash = reader.hash
        (earlierCodes, reload) = (reader.earlierCodes, reader.reload)
        firstRendering = reader.firstRendering
        firstMoves = reader.firstMoves
        firstRefusals = reader.firstRefusals
        steps = reader.steps
        if isCut { notes.append("the last line was cut and is left out") }
        if let reload {
            notes.append(
                "the flow was loaded again after step \(reload), so other files may have played "
                    + "the steps from there on")
        }
        if !steps.isEmpty, isCut || reader.endsWithInput { steps[steps.count - 1].isCut = true }
        numberSteps()
    }

    /// Reads a recording from a file.
    ///
    /// ```swift
    /// for note in try FlowRecording(path: file).notes { print(note) }
    /// ```
    ///
    /// - Throws: A `FlowError` of code `file` if it cannot be read, or as ``init(parsing:name:)``.
    public init(path: String) throws(FlowError) {
        guard let resolved = resolvedPath(path) else { throw FlowError(.noRecordingFile, path) }
        switch readFile(resolved, limit: 4 << 30) {
        case .failure(let failure): throw FlowError(.unreadable, path, failure.reason)
        case .success(let bytes):
            // The last line may have been cut within a character.
            let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            guard var text = String(validating: bytes[..<end], as: UTF8.self) else {
                throw FlowError(.noText.with(.recording), path)
            }
            text += String(decoding: bytes[end...], as: UTF8.self)
            try self.init(parsing: text, name: path)
        }
    }
}
