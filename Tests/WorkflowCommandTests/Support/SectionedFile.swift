import Foundation
import Synchronization
import Testing

/// A case in sections, each below a line `== title`: a flow's files, a run's input, its output.
/// With `GOLDEN_UPDATE=1` in the environment what is printed is written anew.
struct SectionedFile {
    private static let isUpdating = ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1"
    /// Tests of one file run at the same time.
    private static let writing = Mutex(())

    private let url: URL
    private(set) var sections: [(title: String, text: String)] = []

    init(_ name: String, in folder: String) throws {
        url = Self.url(of: folder).appendingPathComponent(name)
        try read()
    }

    static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url(of: folder).path)
        return names?.filter { $0.hasSuffix(".txt") }.sorted() ?? []
    }

    private static func url(of folder: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(folder)
    }

    private mutating func read() throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        sections = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("== ") {
                sections.append((String(line.dropFirst(3)), ""))
            } else if let last = sections.indices.last {
                sections[last].text += line + "\n"
            }
        }
    }

    subscript(title: String) -> String { sections.first { $0.title == title }?.text ?? "" }

    func lines(_ title: String) -> [String] { self[title].split(separator: "\n").map(String.init) }

    /// The files of the flow by name; `flow.lua` is the one that is played.
    var files: [String: String] {
        let files = sections.filter { $0.title.hasSuffix(".lua") }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.title, $0.text) })
    }

    /// Expects that the sections of some kinds, by the first words of their titles, are these.
    mutating func expect(
        _ kinds: Set<String>, are new: [(title: String, text: String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func isOfKind(_ section: (title: String, text: String)) -> Bool {
            kinds.contains(String(section.title.prefix { $0 != " " }))
        }
        if Self.isUpdating {
            try Self.writing.withLock { _ in
                try read()
                sections = sections.filter { !isOfKind($0) } + new
                let text = sections.map { "== \($0.title)\n\($0.text)" }.joined()
                try text.write(to: url, atomically: true, encoding: .utf8)
            }
        }
        let old = sections.filter(isOfKind)
        #expect(old.map(\.title) == new.map(\.title), sourceLocation: sourceLocation)
        for (old, new) in zip(old, new) {
            #expect(old.text == new.text, sourceLocation: sourceLocation)
        }
    }
}
