import LibC
import PlainValue
import Subprocess
import Terminal
import WorkflowLua

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The program luacheck, which finds more mistakes in the Lua itself.
package struct Luacheck {
    private let program: String

    /// Finds the program in the folders of a `PATH`; nil if it is not installed.
    package init?(path: String) {
        let found = path.split(separator: ":").map { folder in String("\(folder)/luacheck") }
            .first { access($0, X_OK) == 0 }
        guard let found else { return nil }
        program = found
    }

    /// The options: the globals of flows are known, and matters of style are ignored.
    static var options: [String] {
        let members = HostAPI.libraries.flatMap { library in
            library.names.map { "\(library.name).\($0)" }
        }
        return [
            "--std", "none", "--formatter", "plain", "--no-color", "--no-max-line-length",
            // Unused arguments and white space.
            "--ignore", "21[23]", "6..", "--read-globals",
        ] + HostAPI.globals.names.sorted() + members
            + HostAPI.testGlobals.names + HostAPI.module.names.map { "workflow.\($0)" }
    }

    /// Adds the problems that luacheck finds at other places, in files that compile.
    package func added(to problems: [Problem], of paths: [String]) async -> [Problem] {
        guard !paths.isEmpty, let output = await output(["--"] + paths) else { return problems }
        let known = Set(problems.map { "\($0.file):\($0.line ?? 0)" })
        let broken = Set(problems.filter { $0.code == .syntax }.map(\.file))
        let new = Self.problems(in: output, of: paths).filter { problem in
            !known.contains("\(problem.file):\(problem.line ?? 0)")
                && !broken.contains(problem.file)
        }
        return (problems + new).sorted()
    }

    /// Parses `file:line:column: message` lines and skips all others.
    static func problems(in output: String, of paths: [String]) -> [Problem] {
        output.split(whereSeparator: \.isNewline).compactMap { line in
            guard let path = paths.first(where: { line.hasPrefix($0 + ":") }) else { return nil }
            let rest = line.dropFirst(path.count + 1)
            let parts = rest.split(separator: ":", maxSplits: 2)
            guard parts.count == 3, let number = Int(natural: parts[0]),
                let column = Int(natural: parts[1])
            else {
                return nil
            }
            return Problem(
                .luacheck, path, line: number, column: column, parts[2].trimmed)
        }
    }

    private func output(_ arguments: [String]) async -> String? {
        let result = try? await run(
            .path(FilePath(program)), arguments: Arguments(Self.options + arguments),
            output: .bytes(limit: 64 << 20))
        return result.map { String(decoding: $0.standardOutput, as: UTF8.self) }
    }
}
