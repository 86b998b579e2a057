import TestSupport
import Testing

/// The code that pages show is code that is compiled, or loaded, somewhere in the repository.
@Suite struct CodeTests {
    /// The pages whose code is looked for: the articles, and the guides that have no tests of their own.
    static let pages = Page.all.filter { page in
        Page.articles.contains(page.path)
            || page.path == "Examples/tutorial/README.md"
    }

    /// The endings of the files that hold code of a language.
    private static let endings = [
        "swift": [".swift"], "lua": [".lua"], "c": [".c", ".h"], "json": [".json"],
        "make": ["Makefile"],
    ]

    /// The lines of all files of a language.
    private static func files(of language: String) throws -> [[String]] {
        guard let endings = endings[language] else { return [] }
        let paths = try ["Examples", "Plugins", "Sources", "Tests"].flatMap { folder in
            try Repository.files(below: folder, endings: endings)
        }
        return try paths.map { trimmed(try Repository.text($0).split(separator: "\n")) }
    }

    /// Lines that say something, with single spaces between their words.
    private static func trimmed(_ lines: [Substring]) -> [String] {
        lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    @Test(arguments: pages) func codeOfThePageIsInAFile(_ page: Page) throws {
        for (language, blocks) in Dictionary(grouping: page.blocks, by: \.language)
        where Self.endings[language] != nil {
            let files = try Self.files(of: language)
            for block in blocks {
                let lines = Self.trimmed(block.lines.map { $0[...] })
                let isThere =
                    block.file != nil
                    || files.contains { file in
                        file.indices.contains { file[$0...].starts(with: lines) }
                    }
                #expect(
                    isThere, "\(page.path):\(block.range.lowerBound + 1) is in no \(language) file")
            }
        }
    }

    @Test(arguments: pages) func blocksAreOfALanguageThatIsTested(_ page: Page) {
        let known = Set(Self.endings.keys).union(["console", "sh"])
        // What a page shows of forms of lines is text.
        let languages = Set(page.blocks.map(\.language)).subtracting([""])
        #expect(languages.isSubset(of: known), "\(languages.subtracting(known))")
    }

    @Test(arguments: pages) func filesOfThePageAreThoseOfTheExample(_ page: Page) throws {
        let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
        var latest: [String: [String]] = [:]
        for block in page.blocks { if let file = block.file { latest[file] = block.lines } }
        for (file, lines) in latest {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let text = try Repository.text("\(folder)/\(name)")
            #expect(lines.joined(separator: "\n") + "\n" == text, "\(page.path), \(file)")
        }
    }
}
