package import FlowOrigins
import LuaVM
import Terminal
package import WorkflowKit
package import WorkflowLua

/// REPL commands over the inputs of a session so far.
///
/// The inputs are replayed in a separate session, without workers and without secrets.
package actor PastREPL {
    private let header: FlowHeader
    private let source: FlowSource
    private let options: REPL.Options
    private var repl: REPL?
    private var played: [FlowInput] = []

    package init(of header: FlowHeader, _ source: FlowSource, options: FlowOptions) {
        self.header = header
        self.source = source
        var replOptions = REPL.Options()
        replOptions.flowOptions = options
        replOptions.flowOptions.limits.isolation = .none
        replOptions.columns = { 100 }
        self.options = replOptions
    }

    /// Executes a dot command at a step and returns its output; `frame` is where the debugger has
    /// stopped. A line that is not a command is an error.
    package func respond(
        to line: String, after inputs: [FlowInput], at step: Int, in frame: FlowFrame? = nil
    ) async throws(FlowError) -> String {
        let repl = try await repl(after: inputs)
        let lines = try await repl.look(line, at: step, in: frame)
        return lines.joined(separator: "\n")
    }

    /// The completions of a dot command, and the end of the line that they replace.
    package func candidates(
        for typed: String, after inputs: [FlowInput], at step: Int
    ) async -> (typed: String, candidates: [String]) {
        guard let repl = try? await repl(after: inputs) else { return (typed, []) }
        let completion = await repl.completerOfPast(at: step).complete(typed)
        return (completion.typed, completion.candidates)
    }

    /// Interrupts the current call, from any thread.
    package nonisolated func interrupt() { options.interrupt.stop() }

    /// Makes the next call load the flow's files again.
    package func forget() async {
        let old = repl
        repl = nil
        played = []
        await old?.session.leave()
    }

    private func repl(after inputs: [FlowInput]) async throws(FlowError) -> REPL {
        if let repl, played == inputs { return repl }
        await forget()
        let made = try await REPL.ofPast(
            FlowRecording(header: header, inputs: inputs), of: source, options: options)
        repl = made
        played = inputs
        return made
    }
}
