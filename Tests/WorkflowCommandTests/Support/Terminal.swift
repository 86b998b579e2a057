#if canImport(Glibc)
    import Foundation
    import Glibc
    import Testing

    /// `workflow-run flow.lua` on a terminal of its own.
    final class Terminal {
        // What the importer does not see of the system's headers.
        private static let setLock: UInt = 0x4004_5431
        private static let getNumber: UInt = 0x8004_5430
        private static let newSession: Int16 = 0x80

        private let scene: Scene
        private let screen: Int32
        private let process: pid_t
        private var unread = ""
        private let chunks: AsyncStream<String>
        private lazy var iterator = chunks.makeAsyncIterator()

        init(_ scene: Scene, _ options: [String], _ environment: [String: String]) async throws {
            self.scene = scene
            let program = try BuildFolder.workflowRun().path
            screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, Int32) = (0, 0)
            guard screen >= 0, ioctl(screen, Self.setLock, &unlocked) == 0,
                ioctl(screen, Self.getNumber, &number) == 0
            else { throw Missing(what: "a terminal") }
            let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let flow = scene.folder.appendingPathComponent("flow.lua").path
            await ProgramGate.shared.enter()
            process = try Self.spawn(
                program, [program, flow] + options, variables.map { "\($0)=\($1)" },
                on: "/dev/pts/\(number)")
            let (chunks, continuation) = AsyncStream<String>.makeStream()
            self.chunks = chunks
            let screen = screen
            DispatchQueue(label: "screen").async {
                var pending: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = read(screen, &chunk, chunk.count)
                    if count <= 0 { break }
                    pending += chunk[..<count]
                    // A character may be cut in two.
                    guard let text = String(validating: pending, as: UTF8.self) else { continue }
                    pending = []
                    continuation.yield(text)
                }
                continuation.finish()
            }
        }

        deinit { close(screen) }

        func type(_ text: String) {
            let bytes = Array(text.utf8)
            _ = write(screen, bytes, bytes.count)
        }

        /// What the terminal shows up to and with `mark`, with line ends as a file has them.
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

        /// What the terminal shows up to the program's end.
        func rest() async throws -> String {
            while let chunk = await iterator.next(isolation: #isolation) { unread += chunk }
            return shown(unread)
        }

        /// The program's exit status.
        func status() async throws -> Int32 {
            let process = process
            defer { Task { await ProgramGate.shared.leave() } }
            let status = await withCheckedContinuation { continuation in
                DispatchQueue(label: "wait").async {
                    var status: Int32 = 0
                    waitpid(process, &status, 0)
                    continuation.resume(returning: status)
                }
            }
            return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        }

        private func shown(_ text: String) -> String {
            text.replacingOccurrences(of: "\r\n", with: "\n")
        }

        /// Starts a program as the leader of a session, whose terminal is the first that it opens.
        private static func spawn(
            _ program: String, _ arguments: [String], _ environment: [String],
            on terminal: String
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
            let failure = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
            guard failure == 0 else { throw Missing(what: String(cString: strerror(failure))) }
            return id
        }
    }
#endif
