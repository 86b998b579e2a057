import LibC
import Synchronization

/// The typed lines, kept from one session to the next in the file `workflow-run/history` below
/// `$XDG_STATE_HOME`, which only its owner can read. Errors of writing are ignored.
package final class LineHistory: Sendable {
    package static let most = 1000

    /// The lines from earlier sessions, oldest first.
    package let lines: [String]
    private let path: String?
    private let last: Mutex<String?>

    package convenience init() { self.init(folder: Self.stateFolder) }

    /// - Parameter folder: The folder of the file; `nil` keeps nothing.
    package init(folder: String?) {
        path = folder.map { $0 + "/history" }
        let found = path.map(Self.read) ?? []
        lines = found.suffix(Self.most)
        last = Mutex(lines.last)
        if let folder { Self.makeFolder(folder) }
        // Rarely, so that adding a line is a single append.
        if found.count > 2 * Self.most { rewrite() }
    }

    /// Adds a line. Returns false for an empty line or a repeated one, which is not kept.
    package func add(_ line: String) -> Bool {
        guard !line.allSatisfy(\.isWhitespace), !line.contains("\n") else { return false }
        let isNew = last.withLock { last in
            defer { last = line }
            return last != line
        }
        guard isNew else { return false }
        if let path { Self.write(line + "\n", to: path, O_APPEND) }
        return true
    }

    /// The history's lines of an entry of several: one, unless a line end means something in it.
    package static func lines(of entry: [String]) -> [String] {
        let telling = ["--", "[[", "[="]
        guard entry.count > 1, !entry.contains(where: { telling.contains(where: $0.contains) })
        else { return entry }
        return [entry.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")]
    }

    private static func read(_ path: String) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var reader = LineReader(file: file)
        var lines: [String] = []
        while let line = reader.next() {
            if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }

    private func rewrite() {
        guard let path else { return }
        // A crash in between leaves the old file.
        let new = "\(path).\(getpid())"
        Self.write(lines.map { $0 + "\n" }.joined(), to: new, O_TRUNC)
        rename(new, path)
    }

    /// The folder of the program's state files; nil without a home folder.
    package static var stateFolder: String? {
        func variable(_ name: String) -> String? {
            environmentVariable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/workflow-run" }
    }

    /// Creates a folder and its parents, readable by their owner only.
    package static func makeFolder(_ folder: String) {
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/" + name
            mkdir(path, 0o700)
        }
    }

    private static func write(_ text: String, to path: String, _ mode: Int32) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o600)
        guard file >= 0 else { return }
        OutputStream(file: file).write(text)
        close(file)
    }
}
