#if canImport(Glibc)
    import Foundation
    import Glibc

    /// `workflow-run repl`, or another command, on a terminal of its own, with a person at it.
    ///
    /// `@unchecked Sendable` because the reading thread only hands on what it has read.
    final class REPLTerminal: @unchecked Sendable {
        // What the importer does not see of the system's headers.
        private static let setLock: UInt = 0x4004_5431
        private static let getNumber: UInt = 0x8004_5430
        private static let setSize: UInt = 0x5414
        private static let newSession: Int16 = 0x80

        /// No test takes that long, in seconds, unless something hangs.
        private static let patience = 20.0

        private let terminal: Int32
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
            let program = try BuildFolder.workflowRun().path
            seen = Screen(width: width)
            terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, Int32) = (0, 0)
            guard terminal >= 0, ioctl(terminal, Self.setLock, &unlocked) == 0,
                ioctl(terminal, Self.getNumber, &number) == 0
            else { throw Missing(what: "a terminal") }
            let defaults = [
                "TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": state.folder.path,
                "HOME": state.folder.path,
            ]
            let variables = ProcessInfo.processInfo.environment.merging(defaults) { $1 }
                .merging(environment) { $1 }
            await ProgramGate.shared.enter()
            Self.resize(terminal, width)
            process = try Self.spawn(
                [program, command] + arguments, variables.map { "\($0)=\($1)" },
                on: "/dev/pts/\(number)")
            let hung = DispatchWorkItem { [process] in kill(process, SIGKILL) }
            self.hung = hung
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: hung)
            let (chunks, continuation) = AsyncStream<String>.makeStream()
            self.chunks = chunks
            let terminal = terminal
            DispatchQueue(label: "screen").async {
                var pending: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = read(terminal, &chunk, chunk.count)
                    if count <= 0 { break }
                    pending += chunk[..<count]
                    // A character, or an escape sequence, may be cut in two.
                    guard let text = String(validating: pending, as: UTF8.self),
                        !text.hasSuffix("\u{1B}"), text.firstMatch(of: /\u{1B}\[[0-9;?]*$/) == nil
                    else { continue }
                    pending = []
                    continuation.yield(text)
                }
                continuation.finish()
            }
        }

        deinit { close(terminal) }

        func type(_ text: String) {
            let bytes = Array(text.utf8)
            _ = write(terminal, bytes, bytes.count)
        }

        /// Types a line and waits until it is taken.
        func enter(_ line: String) async throws {
            type(line + "\r")
            try await screen { [self] text in text.hasSuffix(line) && seen.isOnNewRow }
        }

        /// Presses Ctrl-C while something is busy, and waits until that was noticed: signals that come together are one.
        func interrupt() async throws {
            type("\u{3}")
            try await screen { [self] text in text.hasSuffix("^C") && seen.isOnNewRow }
        }

        func send(_ signal: Int32) { kill(process, signal) }

        func resize(to width: Int) {
            seen.width = width
            Self.resize(terminal, width)
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
            let process = process
            let status = await withCheckedContinuation { continuation in
                DispatchQueue(label: "wait").async {
                    var status: Int32 = 0
                    waitpid(process, &status, 0)
                    continuation.resume(returning: status)
                }
            }
            hung.cancel()
            await ProgramGate.shared.leave()
            return (
                seen.text, status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
            )
        }

        private static func resize(_ terminal: Int32, _ width: Int) {
            var size = winsize(
                ws_row: 40, ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, setSize, &size)
        }

        /// Starts a program as the leader of a session, whose terminal is the first that it opens.
        private static func spawn(
            _ arguments: [String], _ environment: [String], on terminal: String
        ) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setflags(&attributes, newSession)
            var words = arguments.map { strdup($0) } + [nil]
            var variables = environment.map { strdup($0) } + [nil]
            defer { (words + variables).forEach { free($0) } }
            var id: pid_t = 0
            let failure = posix_spawn(&id, arguments[0], &actions, &attributes, &words, &variables)
            guard failure == 0 else { throw Missing(what: String(cString: strerror(failure))) }
            return id
        }
    }
#endif
