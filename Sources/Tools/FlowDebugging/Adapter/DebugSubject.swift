package import FlowOrigins
package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// The subject of debugging: a recording, or a running session.
package protocol DebugSubject: Sendable {
    /// The recording so far, and the flow that plays it. An interrupt ends the current work first.
    ///
    /// - Parameter isHurried: Returns true if a request must not wait for the session.
    func begin(
        isHurried: @escaping @Sendable () -> Bool
    ) async throws -> (recording: FlowRecording, source: FlowSource)
    /// The test that played the recording, if one did.
    var test: (any DebuggedTest)? { get }
    /// True if new inputs are possible.
    var isLive: Bool { get }
    /// The current rendering; `nil` if the subject has none of its own.
    var rendering: Value? { get async }
    /// The new inputs since the last call.
    ///
    /// - Parameter isPause: Includes the input that a session of another process is still
    ///   processing. It is passed on again when it has been processed.
    /// - Throws: A `FlowError`, once, if the earlier inputs are no longer those of the session.
    func takeNews(isPause: Bool) throws -> [DebuggedInput]
    /// The reason for which the session has ended, if it has.
    var ending: String? { get }
    /// The printed texts since the last call, with their locations.
    func takePrinted() async -> [(text: String, location: FlowError.Location?)]
    /// Sends a typed action. Its effects are news.
    ///
    /// - Throws: A `FlowError` if it cannot be sent, or if it fails, which is news as well.
    func send(_ typed: String) async throws
    /// Confirms the inputs so far, so that their effects outside the session may happen.
    func release() async
    /// Stops what it is doing now, from any thread. A pause does not prevent ``begin()``.
    func interrupt(isPause: Bool)
    /// Ends the session, or detaches from it.
    func close() async
}

extension DebugSubject {
    package var test: (any DebuggedTest)? { nil }
}

/// The dot commands of the console, over the inputs so far.
package protocol DebugConsole: Sendable {
    /// Executes a command at a step of the inputs so far; `frame` is where the debugger has
    /// stopped, if it has.
    func respond(
        to line: String, after inputs: [FlowInput], at step: Int, in frame: FlowFrame?
    ) async throws(FlowError) -> String
    /// The completions of a line, and the end of the line that they replace.
    func candidates(
        for typed: String, after inputs: [FlowInput], at step: Int
    ) async -> (typed: String, candidates: [String])
    /// Stops what it is doing now, from any thread.
    func interrupt()
    /// Makes the next call load the changed files of the flow.
    func forget() async
}

package struct DebuggedInput: Sendable {
    package var input: FlowInput
    /// True if it was interrupted because it did not end.
    package var isInterrupted: Bool
    package var isFailure: Bool
    /// True if the session is still dealing with it. The next input is the same one, as it ended.
    package var isUnderWay: Bool

    package init(
        _ input: FlowInput, isInterrupted: Bool = false, isFailure: Bool = false,
        isUnderWay: Bool = false
    ) {
        self.input = input
        self.isInterrupted = isInterrupted
        self.isFailure = isFailure
        self.isUnderWay = isUnderWay
    }
}

/// A recording in a file.
package struct RecordedSubject: DebugSubject {
    private let recording: FlowRecording
    private let source: FlowSource
    package let test: (any DebuggedTest)?

    package init(
        _ recording: FlowRecording, of source: FlowSource, by test: (any DebuggedTest)? = nil
    ) {
        self.recording = recording
        self.source = source
        self.test = test
    }

    package var isLive: Bool { false }
    package var ending: String? { nil }
    package var rendering: Value? { nil }
    package func begin(
        isHurried: @escaping @Sendable () -> Bool
    ) -> (recording: FlowRecording, source: FlowSource) { (recording, source) }
    package func takeNews(isPause: Bool) -> [DebuggedInput] { [] }
    package func takePrinted() -> [(text: String, location: FlowError.Location?)] { [] }
    package func send(_ typed: String) throws { throw FlowError(.noActions) }
    package func release() {}
    package func interrupt(isPause: Bool) {}
    package func close() {}
}
