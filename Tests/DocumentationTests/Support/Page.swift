import Foundation
import TestSupport
import Testing

/// A Markdown file of the repository, and the blocks of code in it.
struct Page: Sendable, CustomTestStringConvertible {
    /// The path from the top of the repository.
    let path: String
    var lines: [String]

    /// A block between fences.
    struct Block: Sendable {
        /// What stands behind the opening fence.
        var language: String
        /// The lines of the page that it consists of, without its fences.
        var range: Range<Int>
        var lines: [String]
        /// The file that the block is all of: what a comment `<!-- file -->` right above it names.
        var file: String?
    }

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        lines = try Repository.text(path).components(separatedBy: "\n")
    }

    /// The blocks in order.
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

    // MARK: All pages

    /// The pages that guide people, in the order of their paths.
    static let all: [Page] = {
        let paths =
            (try? ["README.md"] + Repository.files(below: "Examples", endings: ["/README.md"])
                + Repository.files(below: "Plugins", endings: ["/README.md"]) + articles) ?? []
        return paths.compactMap { try? Page($0) }
    }()

    /// The articles of the documentation that `Scripts/docs` builds.
    static let articles: [String] =
        (try? Repository.files(below: "Sources", endings: [".md"]).filter {
            $0.contains("/Documentation.docc/")
        }) ?? []
}
