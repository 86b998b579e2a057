import FlowPrinting
import LuaVM
import PlainValue
package import Terminal
package import WorkflowKit
package import WorkflowLua

/// The commands of a REPL, over what has come into a session so far.
///
/// The inputs are played again in a session of its own, without workers and without what is secret.
package actor PastREPL {
    private let header: FlowHeader
    private let source: FlowSource
    private let settings: REPL.Settings
    private var repl: REPL?
    private var played: [FlowInput] = []

    package init(of header: FlowHeader, _ source: FlowSource, options: FlowOptions) {
        self.header = header
        self.source = source
        var settings = REPL.Settings()
        settings.options = options
        settings.options.limits.isolation = .none
        settings.columns = { 100 }
        self.settings = settings
    }

    /// Does what a line says that begins with a dot.
    ///
    /// - Parameters:
    ///   - inputs: The steps of the session so far.
    ///   - step: The step that is looked at.
    /// - Returns: What there is to say.
    /// - Throws: A `FlowError` if the line is no command, or nothing comes of it.
    package func respond(
        to line: String, after inputs: [FlowInput], at step: Int
    ) async throws(FlowError) -> String {
        let repl = try await repl(after: inputs)
        let lines = try await repl.look(line, at: step)
        return lines.joined(separator: "\n")
    }

    /// Completes a line that begins with a dot.
    package func complete(_ typed: String, after inputs: [FlowInput], at step: Int) async
        -> Completion
    {
        guard let repl = try? await repl(after: inputs) else { return Completion(typed: typed) }
        return await repl.completerOfPast(at: step).complete(typed)
    }

    /// Stops what it is doing now, from any thread.
    package nonisolated func interrupt() { settings.interrupt.stop() }

    /// Has the files of the flow loaded anew when somebody asks next.
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
            FlowRecording(header: header, inputs: inputs), of: source, settings: settings)
        repl = made
        played = inputs
        return made
    }
}
