import Foundation
import TestSupport
import Testing

@Suite struct NamesTests {
    private static let declared: Set<String> = {
        let files = ["Sources", "Plugins"].flatMap { folder in
            (try? Repository.files(below: folder, endings: [".swift"])) ?? []
        }
        var names: Set<String> = []
        for file in files {
            let text = (try? Repository.text(file)) ?? ""
            let declarations = text.matches(
                of: /(?:struct|class|enum|protocol|actor|typealias|func|var|let|case) (\w+)/)
            names.formUnion(declarations.map { String($0.1) })
        }
        return names
    }()

    static let pages = Page.all.filter { page in
        [
            "TypedRuntime.md", "EmbeddingFlows.md", "NativeParent.md", "ComingFromWorkflowSwift.md",
        ].contains { page.path.hasSuffix("/" + $0) }
    }

    private static let others: Set = [
        "Codable", "Equatable", "Sendable", "AsyncSequence", "XCTest", "SQLite", "HTTP", "Testing",
        "CommandLine", "Combine", "Action", "Package", "MainActor", "SendableMetatype", "Decodable",
        "Double", "Board",
    ]

    /// The capitalized words in the code of a page's prose, without those of paths and commands.
    @Test(arguments: pages) func namesOfTypesAreDeclared(_ page: Page) throws {
        let covered = IndexSet(page.blocks.flatMap { $0.range })
        for (index, line) in page.lines.enumerated() where !covered.contains(index) {
            for code in line.matches(of: /`([^`]+)`/) {
                let words = code.1.matches(of: /\b[A-Z][a-z]\w+/).map { String($0.0) }
                for word in words where !Self.others.contains(word) {
                    #expect(Self.isKnown(word), "\(page.path):\(index + 1): \(word)")
                }
            }
        }
    }

    private static func isKnown(_ word: String) -> Bool {
        if declared.contains(word) { return true }
        // A target or a product, or a folder of the repository.
        let manifest = (try? Repository.text("Package.swift")) ?? ""
        return manifest.contains("\"\(word)\"")
            || FileManager.default.fileExists(atPath: Repository.path(word))
    }

    @Test func pagesAreThere() { #expect(Self.pages.count == 4) }
}
