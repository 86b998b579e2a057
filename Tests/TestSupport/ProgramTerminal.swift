#if canImport(Glibc)
    import Foundation
    import LibC

    /// `workflow-run` with a user at a terminal.
    package final class ProgramTerminal {
        private let terminal: PseudoTerminal
        private let temporary: Folder
        /// Kept, because the program writes there until its end.
        private let folder: Folder
        private let process: pid_t
        private let hung: DispatchWorkItem
        private var unread = ""
        private var seen: Screen
        private let chunks: AsyncStream<String>
        private lazy var iterator = chunks.makeAsyncIterator()

        /// Starts the program once the gate allows. Must end with ``finish()`` or ``status()``.
        /// The folder is the user's home, with the history. By default the cursor moves, and no
        /// colours are shown.
        package init(
            _ arguments: [String], home folder: Folder, environment: [String: String] = [:],
            width: Int = 80
        ) async throws {
            let program = try Repository.workflowRun().path
            temporary = try Folder()
            self.folder = folder
            seen = Screen(width: width)
            terminal = try PseudoTerminal()
            let defaults = [
                "TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": folder.path,
                "HOME": folder.path, "TMPDIR": temporary.path,
            ]
            let variables = ProcessInfo.processInfo.environment.merging(defaults) { $1 }
                .merging(environment) { $1 }
            await ProgramGate.shared.enter()
            terminal.resize(to: width)
            process = try terminal.start([program] + arguments, environment: variables)
            let hung = DispatchWorkItem { [process] in kill(process, SIGKILL) }
            self.hung = hung
            DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: hung)
            chunks = terminal.text()
        }

        // MARK: The user

        package func type(_ text: String) { terminal.type(text) }

        package func enter(_ line: String) async throws {
            type(line + "\r")
            try await screen { [self] text in text.hasSuffix(line) && seen.isOnNewRow }
        }

        /// Presses Ctrl-C in a call and waits until it is noticed: simultaneous signals are one.
        package func interrupt() async throws {
            type("\u{3}")
            try await screen { [self] text in text.hasSuffix("^C") && seen.isOnNewRow }
        }

        package func send(_ signal: Int32) { kill(process, signal) }

        package func resize(to width: Int) {
            seen.width = width
            terminal.resize(to: width)
        }

        // MARK: The screen

        @discardableResult
        package func screen(until condition: (String) -> Bool) async throws -> String {
            while !condition(seen.text) {
                guard await read() else {
                    throw Missing(what: "what was expected of:\n\(seen.text)")
                }
            }
            return seen.text
        }

        @discardableResult package func screen(endingWith text: String) async throws -> String {
            try await screen { $0.hasSuffix(text) }
        }

        package func type(_ text: String, endingWith end: String) async throws {
            type(text)
            try await screen(endingWith: end)
        }

        package func finish() async throws -> (text: String, status: Int32) {
            let status = try await status()
            return (seen.text, status)
        }

        // MARK: The bytes

        /// The output since the last call, up to and including `mark`, with line ends as in a file.
        package func text(to mark: String) async throws -> String {
            while true {
                if let range = unread.range(of: mark) {
                    defer { unread = String(unread[range.upperBound...]) }
                    return shown(String(unread[..<range.upperBound]))
                }
                guard await read() else { throw Missing(what: "\(mark) in \(unread)") }
            }
        }

        package func rest() async -> String {
            while await read() {}
            return shown(unread)
        }

        package func status() async throws -> Int32 {
            while await read() {}
            let status = await PseudoTerminal.exitStatus(of: process)
            hung.cancel()
            await ProgramGate.shared.leave()
            try temporary.expectNothing()
            return status
        }

        private func read() async -> Bool {
            guard let chunk = await iterator.next(isolation: #isolation) else { return false }
            unread += chunk
            seen.take(chunk)
            return true
        }

        private func shown(_ text: String) -> String {
            text.replacingOccurrences(of: "\r\n", with: "\n")
        }
    }
#endif
