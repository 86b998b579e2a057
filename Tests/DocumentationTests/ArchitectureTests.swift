import TestSupport
import Testing

@Suite struct ArchitectureTests {
    private let page: Page

    init() throws { page = try Page("Sources/Flow/WorkflowKit/Documentation.docc/HowItWorks.md") }

    @Test func theLayersAreThoseThatAreChecked() throws {
        let checked = try Repository.text("Scripts/layers").matches(
            of: /\n(\d+) ([A-Za-z-]+) +\S+ +\S+(?=\n)/)
        let shown = page.lines.filter { $0.hasPrefix("| ") }.flatMap { row -> [String] in
            let cells = row.split(separator: "|")
            let layer = cells[0].filter(\.isNumber)
            return layer.isEmpty ? [] : cells[1].matches(of: /`([^`]*)`/).map { "\(layer) \($0.1)" }
        }
        #expect(checked.count > 20)
        #expect(shown.sorted() == checked.map { "\($0.1) \($0.2)" }.sorted())
    }

    @Test func thePackagesFromElsewhereAreThoseOfThePackage() throws {
        let packages = try Repository.text("Package.swift").matches(of: /of: "([^"]+)"/).map(\.1)
        let page = try Page("Sources/Flow/WorkflowKit/Documentation.docc/EmbeddingFlows.md")
        let shown = page.lines.drop { $0 != "| product | needs |" }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }.joined().replacing("GRDB,", with: "GRDB.swift,")
        #expect(!packages.isEmpty)
        // The program is not a product for other packages.
        for package in packages where package != "swift-argument-parser" {
            #expect(shown.contains(package), "\(package)")
        }
    }

    @Test func theTableOfTricksHasEachFileThatTheCompilerIsToldToTrust() throws {
        let constructs = try Regex(
            #"@exclusivity\(unchecked\)|@unchecked Sendable|\(unsafe\)|Unmanaged<|Unmanaged\."#
                + #"|unsafeDowncast|unsafeBitCast|assumingMemoryBound"#)
        let written = try ["Sources", "Plugins"].flatMap {
            try Repository.files(below: $0, endings: [".swift"])
        }.filter { path in
            try Repository.text(path).split(separator: "\n").contains { line in
                !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
                    && line.contains(constructs)
            }
        }
        let section = page.lines.drop { $0 != "## Tricks" }.dropFirst()
            .prefix { !$0.hasPrefix("## ") }
        let shown = section.filter { $0.hasPrefix("|") }.joined()
            .matches(of: /`([^`]+\.swift)`/).map { String($0.1) }
        #expect(written.count > 20)
        #expect(Set(written.map { String($0.split(separator: "/").last ?? "") }) == Set(shown))
    }
}
