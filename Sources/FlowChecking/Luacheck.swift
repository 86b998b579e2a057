import LibC
import Terminal
import WorkflowLua

/// The program luacheck, which knows more about Lua itself.
package struct Luacheck {
    private let program: String

    /// The program in the folders of a `PATH`; nil if it is not installed.
    package init?(path: String) {
        let found = path.split(separator: ":").map { folder in String("\(folder)/luacheck") }
            .first { access($0, X_OK) == 0 }
        guard let found else { return nil }
        program = found
    }

    /// The options, with the globals of flows, and without matters of taste.
    static var options: [String] {
        let members = HostAPI.libraries.flatMap { library in
            library.names.map { "\(library.name).\($0)" }
        }
        return [
            "--std", "none", "--formatter", "plain", "--no-color", "--no-max-line-length",
            // Unused arguments of callbacks, and white space.
            "--ignore", "21[23]", "6..", "--read-globals",
        ] + HostAPI.globals.names.sorted() + members
            + HostAPI.testGlobals.names + HostAPI.module.names.map { "workflow.\($0)" }
    }

    /// The problems with those that luacheck finds at other places; of a file that does not compile it says nothing.
    package func added(to problems: [Problem], of paths: [String]) -> [Problem] {
        guard !paths.isEmpty, let output = output(["--"] + paths) else { return problems }
        let known = Set(problems.map { "\($0.file):\($0.line ?? 0)" })
        let broken = Set(problems.filter { $0.code == .syntax }.map(\.file))
        let new = Self.problems(in: output, of: paths).filter { problem in
            !known.contains("\(problem.file):\(problem.line ?? 0)")
                && !broken.contains(problem.file)
        }
        return (problems + new).sorted()
    }

    /// Reads `file:line:column: message` lines; anything else is left out.
    static func problems(in output: String, of paths: [String]) -> [Problem] {
        output.split(whereSeparator: \.isNewline).compactMap { line in
            guard let path = paths.first(where: { line.hasPrefix($0 + ":") }) else { return nil }
            let rest = line.dropFirst(path.count + 1)
            let parts = rest.split(separator: ":", maxSplits: 2)
            guard parts.count == 3, let number = Int(parts[0]), let column = Int(parts[1]) else {
                return nil
            }
            return Problem(
                .luacheck, path, line: number, column: column, parts[2].trimmed)
        }
    }

    /// What luacheck prints; nil if it cannot be run.
    private func output(_ arguments: [String]) -> String? {
        var pipes: [Int32] = [0, 0]
        guard pipe(&pipes) == 0 else { return nil }
        defer { close(pipes[0]) }
        var words = ([program] + Self.options + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let id = spawn(&words, output: pipes[1], unused: pipes[0])
        close(pipes[1])
        guard let id else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(pipes[0], &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += chunk[..<count]
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private func spawn(
        _ words: inout [UnsafeMutablePointer<CChar>?], output: Int32, unused: Int32
    ) -> pid_t? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addclose(&actions, unused)
        var id: pid_t = 0
        guard posix_spawn(&id, program, &actions, nil, &words, environ) == 0 else { return nil }
        return id
    }
}
