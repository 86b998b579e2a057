#if canImport(Glibc)
    import Foundation
    import LibC
    import TestSupport

    /// `workflow-run repl`, or another command, with a user at a terminal.
    final class REPLTerminal {
        private let terminal: PseudoTerminal
        private let temporary: TemporaryFolder
        /// Kept, because the program writes there until its end.
        private let state: Scene
        private let process: pid_t
        /// Ends a hanging program.
        private let hung: DispatchWorkItem
        private var seen: Screen
        private let chunks: AsyncStream<String>
        private lazy var iterator = chunks.makeAsyncIterator()

        /// - Parameters:
        ///   - arguments: The arguments of the command.
        ///   - command: The command.
        ///   - state: The folder of the history.
        init(
            _ arguments: [String], command: String = "repl", state: Scene,
            environment: [String: String] = [:],
            width: Int = 80
        ) async throws {
            let program = try Repository.workflowRun().path
            temporary = try TemporaryFolder()
            self.state = state
            seen = Screen(width: width)
            terminal = try PseudoTerminal()
            let defaults = [
                "TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": state.folder.path,
                "HOME": state.folder.path, "TMPDIR": temporary.path,
            ]
            let variables = ProcessInfo.processInfo.environment.merging(defaults) { $1 }
                .merging(environment) { $1 }
            await ProgramGate.shared.enter()
            terminal.resize(to: width)
            process = try terminal.start([program, command] + arguments, environment: variables)
            let hung = DispatchWorkItem { [process] in kill(process, SIGKILL) }
            self.hung = hung
            DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: hung)
            chunks = terminal.text()
        }

        func type(_ text: String) { terminal.type(text) }

        /// Types a line and waits until it was read.
        func enter(_ line: String) async throws {
            type(line + "\r")
            try await screen { [self] text in text.hasSuffix(line) && seen.isOnNewRow }
        }

        /// Presses Ctrl-C while a call runs, and waits until it was noticed: simultaneous signals
        /// would be one.
        func interrupt() async throws {
            type("\u{3}")
            try await screen { [self] text in text.hasSuffix("^C") && seen.isOnNewRow }
        }

        func send(_ signal: Int32) { kill(process, signal) }

        func resize(to width: Int) {
            seen.width = width
            terminal.resize(to: width)
        }

        /// The terminal's text as soon as it meets a condition.
        @discardableResult
        func screen(until condition: (String) -> Bool) async throws -> String {
            while !condition(seen.text) {
                guard let chunk = await iterator.next(isolation: #isolation) else {
                    _ = await finish()
                    throw Missing(what: "what was expected of:\n\(seen.text)")
                }
                seen.take(chunk)
            }
            return seen.text
        }

        /// The terminal's text as soon as it ends with a text.
        @discardableResult
        func screen(endingWith text: String) async throws -> String {
            try await screen { $0.hasSuffix(text) }
        }

        /// The terminal's final text and the program's exit status.
        func finish() async -> (text: String, status: Int32) {
            while let chunk = await iterator.next(isolation: #isolation) { seen.take(chunk) }
            let status = await PseudoTerminal.exitStatus(of: process)
            hung.cancel()
            await ProgramGate.shared.leave()
            expectNothing(in: temporary)
            return (seen.text, status)
        }
    }
#endif
