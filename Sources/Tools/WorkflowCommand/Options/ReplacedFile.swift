import FlowPrinting
import FlowREPL
import LibC
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// The files that an option may replace or append to: those that it wrote before, and no others.
enum ReplacedFile {
    /// Snapshots, which `--save` writes.
    case snapshot
    /// The lines of `--audit`.
    case audit
    /// Reports in JUnit's XML, which `test --junit` writes.
    case report

    /// Makes sure that an option may write a file: it is missing, empty, or of this kind. A name
    /// that leads to another file, through a link or by another spelling, is that file. What is
    /// there and not a file, such as `/dev/stdout`, may be written.
    func require(_ path: String, for option: String) throws(Refusal) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let isScript = [path, resolvedPath(path) ?? path].contains { $0.hasSuffix(".lua") }
        if !isScript {
            if status.st_size == 0 { return }
            if case .success(let bytes) = readFile(path, limit: 1 << 30), isOwn(bytes) { return }
        }
        throw Refusal(FlowError(.notReplaced, option, printable(path), name), .usage)
    }

    /// Makes sure that no two options write one file.
    static func requireDifferent(_ outputs: [(option: String, path: String?)]) throws(Refusal) {
        var known: [String: String] = [:]
        for case let (option, path?) in outputs {
            var status = stat()
            let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
            if isOther { continue }
            let folder = resolvedPath(path.contains("/") ? path.folderOfPath : ".") ?? ""
            let place = resolvedPath(path) ?? "\(folder)/\(path.nameOfPath)"
            guard let first = known.updateValue(option, forKey: place) else { continue }
            throw Refusal(FlowError(.sameFile, first, option, printable(path)), .usage)
        }
    }

    private var name: String {
        switch self {
        case .snapshot: "a snapshot"
        case .audit: "a log of accesses"
        case .report: "a report of tests"
        }
    }

    private func isOwn(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .snapshot: return FlowSnapshot.isSnapshot(json: bytes)
        case .audit:
            let line = try? Value(json: bytes.prefix { $0 != UInt8(ascii: "\n") })
            return line?["worker"] != nil && line?["access"] != nil && line?["granted"] != nil
        case .report:
            let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
            return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<")
                && start.contains("<testsuite")
        }
    }
}
