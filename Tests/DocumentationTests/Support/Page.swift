import Foundation
import TestSupport
import Testing

struct Page: Sendable, CustomTestStringConvertible {
    /// The path from the top of the repository.
    let path: String
    var lines: [String]

    struct Block: Sendable {
        /// The word after the opening fence.
        var language: String
        /// The block's lines in the page, without its fences.
        var range: Range<Int>
        var lines: [String]
        /// The file whose contents are the block, named by a comment `<!-- file -->` above.
        var file: String?
    }

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        lines = try Repository.text(path).components(separatedBy: "\n")
    }

    /// The path of the page's folder with a final slash; empty at the top.
    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    var blocks: [Block] {
        var blocks: [Block] = []
        var open: (language: String, start: Int)?
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            if let (language, start) = open {
                blocks.append(
                    Block(
                        language: language, range: start..<index,
                        lines: Array(lines[start..<index]), file: file(above: start - 1)))
                open = nil
            } else {
                open = (String(line.dropFirst(3)), index + 1)
            }
        }
        return blocks
    }

    private func file(above index: Int) -> String? {
        guard index > 0, let match = lines[index - 1].wholeMatch(of: /<!-- (\S+) -->/) else {
            return nil
        }
        return String(match.1)
    }

    /// The lines outside of blocks, with their numbers from 0 and without inline code.
    var prose: [(number: Int, text: String)] {
        let covered = IndexSet(blocks.flatMap { $0.range })
        return lines.indices.filter { !covered.contains($0) && !lines[$0].hasPrefix("```") }
            .map { ($0, lines[$0].replacing(/`+[^`]*`+/, with: "``")) }
    }

    /// The lines between `<!-- begin: name -->` and `<!-- end -->`, made by a test; `nil` if none.
    func generated(_ name: String) -> Range<Int>? {
        guard let start = lines.firstIndex(of: "<!-- begin: \(name) -->"),
            let end = lines[start...].firstIndex(of: "<!-- end -->")
        else { return nil }
        return start + 1..<end
    }

    func write(_ lines: [String]) throws {
        try lines.joined(separator: "\n").write(
            toFile: Repository.root + path, atomically: true, encoding: .utf8)
    }

    // MARK: All pages

    static let all: [Page] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Repository.root)) ?? []
        let paths = folders.filter { !$0.hasPrefix(".") }.flatMap { name in
            name.hasSuffix(".md")
                ? [name] : (try? Repository.files(below: name, endings: [".md"])) ?? []
        }
        return paths.sorted().compactMap { try? Page($0) }
    }()
}
