package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// What is debugged: a recording, or a session that goes on meanwhile.
package protocol DebugSubject: Sendable {
    /// What it began with and what came in so far, and the flow that plays it. An interrupt ends what it plays first.
    func begin() async throws -> (recording: FlowRecording, source: FlowSource)
    /// Whether more can come in.
    var isLive: Bool { get }
    /// What it shows now; `nil` if it shows nothing by itself.
    var rendering: Value? { get async }
    /// What came in since this was last asked.
    func takeNews() async -> [DebuggedInput]
    /// What it printed since this was last asked, and where.
    func takePrinted() async -> [(text: String, location: FlowError.Location?)]
    /// Sends an action as it is typed; what it comes to is news.
    ///
    /// - Throws: A `FlowError` if it cannot be sent at all.
    func send(_ typed: String) async throws
    /// Lets go what the inputs so far had to do outside.
    func release() async
    /// Stops what it is doing now, from any thread; a pause does not keep it from beginning.
    func interrupt(isPause: Bool)
    /// Ends it, or lets go of it if it is somebody else's.
    func close() async
}

/// The commands of the console that begin with a dot, over what has come in so far.
package protocol DebugConsole: Sendable {
    /// Does what a line says.
    ///
    /// - Parameters:
    ///   - inputs: The steps of the session so far.
    ///   - step: The step that is looked at.
    /// - Throws: A `FlowError` if nothing comes of it.
    func respond(
        to line: String, after inputs: [FlowInput], at step: Int
    ) async throws(FlowError) -> String
    /// What a line can go on with, and the end of it that this takes the place of.
    func candidates(
        for typed: String, after inputs: [FlowInput], at step: Int
    ) async -> (typed: String, candidates: [String])
    /// Stops what it is doing now, from any thread.
    func interrupt()
    /// Has the files of the flow loaded anew, as they have changed.
    func forget() async
}

/// What came into a session that is being debugged.
package struct DebuggedInput: Sendable {
    package var input: FlowInput
    /// Whether it was stopped on its way, as it did not end.
    package var isInterrupted: Bool
    /// Whether something failed by then.
    package var isFailure: Bool

    package init(_ input: FlowInput, isInterrupted: Bool = false, isFailure: Bool = false) {
        self.input = input
        self.isInterrupted = isInterrupted
        self.isFailure = isFailure
    }
}

/// A recording in a file.
package struct RecordedSubject: DebugSubject {
    private let recording: FlowRecording
    private let source: FlowSource

    package init(_ recording: FlowRecording, of source: FlowSource) {
        self.recording = recording
        self.source = source
    }

    package var isLive: Bool { false }
    package var rendering: Value? { nil }
    package func begin() -> (recording: FlowRecording, source: FlowSource) { (recording, source) }
    package func takeNews() -> [DebuggedInput] { [] }
    package func takePrinted() -> [(text: String, location: FlowError.Location?)] { [] }
    package func send(_ typed: String) throws {
        throw FlowError(
            .misuse, "a recording takes no actions",
            help: "open the flow itself, or send it to workflow-run repl and the recording")
    }
    package func release() {}
    package func interrupt(isPause: Bool) {}
    package func close() {}
}
