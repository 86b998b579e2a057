#if canImport(Glibc)
    import Foundation
    import LibC
    import TestSupport

    /// `workflow-run repl`, or another command, on a terminal of its own, with a person at it.
    final class REPLTerminal {
        /// No test takes that long, in seconds, unless something hangs.
        private static let patience = 20.0

        private let terminal: PseudoTerminal
        private let temporary: TemporaryFolder
        /// Held, since the program writes there up to its end.
        private let state: Scene
        private let process: pid_t
        /// Ends a program that hangs.
        private let hung: DispatchWorkItem
        private var seen: Screen
        private let chunks: AsyncStream<String>
        private lazy var iterator = chunks.makeAsyncIterator()

        /// - Parameters:
        ///   - arguments: What follows the command.
        ///   - command: The command.
        ///   - state: The folder that the history is kept in.
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
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: hung)
            chunks = terminal.text()
        }

        func type(_ text: String) { terminal.type(text) }

        /// Types a line and waits until it is taken.
        func enter(_ line: String) async throws {
            type(line + "\r")
            try await screen { [self] text in text.hasSuffix(line) && seen.isOnNewRow }
        }

        /// Presses Ctrl-C while something is busy, and waits until that was noticed: signals that
        /// come together are one.
        func interrupt() async throws {
            type("\u{3}")
            try await screen { [self] text in text.hasSuffix("^C") && seen.isOnNewRow }
        }

        func send(_ signal: Int32) { kill(process, signal) }

        func resize(to width: Int) {
            seen.width = width
            terminal.resize(to: width)
        }

        /// What the terminal shows, as soon as it fulfils a condition.
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

        /// What the terminal shows, as soon as it ends with a text.
        @discardableResult
        func screen(endingWith text: String) async throws -> String {
            try await screen { $0.hasSuffix(text) }
        }

        /// What the terminal shows in the end, and the program's exit status.
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
