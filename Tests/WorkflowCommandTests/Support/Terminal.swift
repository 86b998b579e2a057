#if canImport(Glibc)
    import Foundation
    import LibC
    import TestSupport

    /// `workflow-run flow.lua` on a terminal.
    final class Terminal {
        private let scene: Scene
        private let temporary: TemporaryFolder
        private let terminal: PseudoTerminal
        private let process: pid_t
        private var unread = ""
        private let chunks: AsyncStream<String>
        private lazy var iterator = chunks.makeAsyncIterator()

        init(_ scene: Scene, _ options: [String], _ environment: [String: String]) async throws {
            self.scene = scene
            temporary = try TemporaryFolder()
            let program = try Repository.workflowRun().path
            terminal = try PseudoTerminal()
            let variables = ProcessInfo.processInfo.environment
                .merging(["TMPDIR": temporary.path]) { $1 }.merging(environment) { $1 }
            await ProgramGate.shared.enter()
            process = try terminal.start(
                [program, scene.path("flow.lua")] + options, environment: variables)
            chunks = terminal.text()
        }

        func type(_ text: String) { terminal.type(text) }

        /// The terminal's output up to and including `mark`, with line ends as in a file.
        func text(to mark: String) async throws -> String {
            while true {
                if let range = unread.range(of: mark) {
                    defer { unread = String(unread[range.upperBound...]) }
                    return shown(String(unread[..<range.upperBound]))
                }
                guard let chunk = await iterator.next(isolation: #isolation) else {
                    throw Missing(what: "\(mark) in \(unread)")
                }
                unread += chunk
            }
        }

        /// The terminal's output up to the program's end.
        func rest() async throws -> String {
            while let chunk = await iterator.next(isolation: #isolation) { unread += chunk }
            return shown(unread)
        }

        /// The program's exit status.
        func status() async throws -> Int32 {
            defer { Task { await ProgramGate.shared.leave() } }
            let status = await PseudoTerminal.exitStatus(of: process)
            expectNothing(in: temporary)
            return status
        }

        private func shown(_ text: String) -> String {
            text.replacingOccurrences(of: "\r\n", with: "\n")
        }
    }
#endif
