import FlowPrinting
import FlowREPL
import Terminal
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The grants of `--allow`: each is a grant, or `@` and the path of a file of grants. Paths are
/// relative to the current folder, and in a file to the file's folder.
struct GrantList {
    private(set) var grants: [Grant] = []
    private let registry: WorkerRegistry

    /// - Throws: A ``Refusal`` for an invalid grant, or a file that cannot be read.
    init(_ texts: [String], registry: WorkerRegistry) throws(Refusal) {
        self.registry = registry
        guard !texts.isEmpty else { return }
        let folder = FilePath.realPath(of: ".") ?? "/"
        for text in texts {
            if text.hasPrefix("@") {
                try addFile(String(text.dropFirst()))
            } else {
                try add(text, from: folder, at: "--allow")
            }
        }
    }

    private mutating func add(
        _ text: String, from folder: String, at place: String
    ) throws(Refusal) {
        do throws(WorkerError) {
            let grant = try Grant(parsing: text)
            try registry.check(grant)
            grants.append(try grant.placed(in: folder))
        } catch {
            throw Refusal(
                FlowError(.misuse, "\(place): \(error.message)", help: error.help), .usage)
        }
    }

    /// Adds the grants of a file, one per line. Empty lines and those with `#` first are skipped.
    private mutating func addFile(_ path: String) throws(Refusal) {
        let bytes: [UInt8]
        switch readFile(path, limit: 1 << 20, isRegular: true) {
        case .success(let read): bytes = read
        case .failure(let failure):
            throw Refusal(FlowError(.unreadableGrants, path, failure.reason), .noInput)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(FlowError(.noText, "--allow: \(path)"), .noInput)
        }
        let folder = resolvedPath(path)?.folderOfPath ?? "/"
        // Some editors put a byte order mark before the text.
        let lines = text.drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let grant = String(line).trimmed
            guard !grant.isEmpty, !grant.hasPrefix("#") else { continue }
            try add(grant, from: folder, at: "\(path):\(index + 1)")
        }
    }
}
