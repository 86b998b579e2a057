import Foundation
import TestSupport
import Testing

/// Links between pages work when the pages are read as plain files on a code host.
/// `Scripts/docs` checks the links of the generated site.
@Suite struct LinkTests {
    /// The addresses in a page, with the numbers of their lines from 1.
    private static func links(of page: Page) -> [(line: Int, address: String)] {
        page.prose.flatMap { number, text in
            text.matches(of: /\]\(([^)\s]+)\)/).map { (number + 1, String($0.1)) }
        }
    }

    private static func anchors(of page: Page) -> Set<String> {
        Set(
            page.lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    /// The path from the top of the repository that an address within it leads to.
    private static func path(_ address: String, from page: Page) -> String {
        guard !address.hasPrefix("#") else { return page.path }
        let file = address.prefix { $0 != "#" }
        var parts: [Substring] = page.folder.split(separator: "/")
        for part in file.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    private static func isOutside(_ address: String) -> Bool { address.contains("://") }

    @Test(arguments: Page.all) func linksLeadSomewhere(_ page: Page) {
        for (line, address) in Self.links(of: page) where !Self.isOutside(address) {
            let path = Self.path(address, from: page)
            let isThere = FileManager.default.fileExists(atPath: Repository.root + path)
            #expect(isThere, "\(page.path):\(line): \(address)")
            guard let hash = address.firstIndex(of: "#") else { continue }
            let anchor = String(address[address.index(after: hash)...])
            let anchors = Page.all.first { $0.path == path }.map(Self.anchors) ?? []
            #expect(anchors.contains(anchor), "\(page.path):\(line): \(address)")
        }
    }

    @Test(arguments: Page.all) func linksOutsideAreSafe(_ page: Page) {
        for (line, address) in Self.links(of: page) where Self.isOutside(address) {
            #expect(address.hasPrefix("https://"), "\(page.path):\(line): \(address)")
        }
    }

    private static func linked(from page: Page) -> Set<String> {
        Set(links(of: page).map { path($0.address, from: page) })
    }

    @Test func theReadmeLinksToTheListOfAllPages() throws {
        let list = "Sources/Flow/WorkflowKit/Documentation.docc/AllPages.md"
        #expect(try Self.linked(from: Page("README.md")).contains(list))
        let missing = try Set(Page.all.map(\.path)).subtracting(Self.linked(from: Page(list)))
        #expect(missing == [list])
    }

    @Test func theReadmeIsShort() throws {
        let lines = try Page("README.md").lines
        #expect(lines.count <= 152)
        #expect(lines.filter { $0.count > 200 } == [])
    }
}
