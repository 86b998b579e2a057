import TestSupport
import Testing

@Suite struct CodeTests {
    private static let endings = [
        "swift": [".swift"], "lua": [".lua"], "c": [".c", ".h"], "json": [".json"],
        "python": [".py"], "make": ["Makefile"], "js": [".js"], "yaml": [".yaml"],
        "ini": [".service"], "haproxy": [".cfg"],
    ]

    /// The languages of blocks that are run, see ``ConsoleTests``.
    private static let commands: Set = ["console", "sh"]

    /// The reason why a block is not run; its language is then `text`.
    enum Reason: String {
        /// The block shows the format of lines rather than the output of a program.
        case form
    }

    /// The blocks that are not run: the page, the first line, the reason.
    static let texts: [(page: String, line: String, reason: Reason)] = [
        (
            "Sources/Service/FlowService/Documentation.docc/NewCode.md",
            "groceries (todo), step 2, after add", .form
        )
    ]

    private static let files: [String: [[String]]] = endings.mapValues { endings in
        // Only playable flows; those of other tests fail on purpose.
        let folders =
            endings == [".lua"]
            ? ["Examples", "Tests/Browser/flows", "Tests/DocumentationTests/Flows"]
            : ["Examples", "Plugins", "Sources", "Tests"]
        let paths = folders.flatMap { folder in
            (try? Repository.files(below: folder, endings: endings)) ?? []
        }
        return paths.compactMap { path in
            (try? Repository.text(path)).map { trimmed($0.split(separator: "\n")) }
        }
    }

    /// The non-empty lines, with single spaces between words.
    private static func trimmed(_ lines: [Substring]) -> [String] {
        lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    @Test(arguments: Page.all) func codeOfThePageIsInAFile(_ page: Page) {
        let generated = Set(ReferenceTests.pages.flatMap { page.generated($0.name) ?? 0..<0 })
        for block in page.blocks where !generated.contains(block.range.lowerBound) {
            guard let files = Self.files[block.language], block.file == nil else { continue }
            let lines = Self.trimmed(block.lines.map { $0[...] })
            let isThere = files.contains { file in
                file.indices.contains { file[$0...].starts(with: lines) }
            }
            #expect(
                isThere,
                "\(page.path):\(block.range.lowerBound + 1) is in no \(block.language) file")
        }
    }

    @Test(arguments: Page.all) func blocksAreOfALanguageThatIsTested(_ page: Page) {
        for block in page.blocks {
            let isTested =
                Self.endings[block.language] != nil || Self.commands.contains(block.language)
            let isListed = Self.texts.contains { text in
                block.language == "text" && text.page == page.path && text.line == block.lines.first
            }
            #expect(
                isTested || isListed, "\(page.path):\(block.range.lowerBound): \(block.language)")
        }
    }

    @Test func flowsOfThePagesPassTheirTests() async throws {
        let flows = Repository.path("Tests/DocumentationTests/Flows")
        let command = Command(text: "workflow-run test '\(flows)'")
        let (shown, status) = try await CommandFolder().run(command)
        #expect(status == 0, "\(shown.joined(separator: "\n"))")
    }

    @Test func listedBlocksAreThere() {
        for text in Self.texts {
            let page = Page.all.first { $0.path == text.page }
            #expect(page?.blocks.contains { $0.lines.first == text.line } == true, "\(text)")
        }
    }

    @Test(arguments: Page.all) func filesOfThePageAreThoseOfTheExamples(_ page: Page) throws {
        var latest: [String: [String]] = [:]
        for block in page.blocks { if let file = block.file { latest[file] = block.lines } }
        guard !latest.isEmpty else { return }
        let examples = try Repository.files(below: "Examples", endings: [".lua"])
        for (file, lines) in latest {
            let name = "/" + (file.split(separator: "/").last.map(String.init) ?? file)
            let path = try #require(examples.first { $0.hasSuffix(name) }, "\(page.path), \(file)")
            let text = try Repository.text(path)
            #expect(lines.joined(separator: "\n") + "\n" == text, "\(page.path), \(file)")
        }
    }
}
