import TestSupport
import Testing

@Suite struct CommandLineTests {
    private static let catalogue = "Sources/Tools/WorkflowCommand/Documentation.docc/"

    private func cells(below heading: String, of name: String) throws -> [String] {
        let page = try Page(Self.catalogue + name)
        let rows = page.lines.drop { $0 != heading }.drop { !$0.hasPrefix("|---") }.dropFirst()
        return rows.prefix { $0.hasPrefix("|") }.map { row in
            String(row.replacing("\\|", with: "/").split(separator: "|")[0])
        }
    }

    private func shown(by text: String) async throws -> [String] {
        try await CommandFolder().run(Command(text: text)).shown
    }

    @Test func commandsAreThoseOfTheProgram() async throws {
        let help = try await shown(by: "workflow-run --help").drop { $0 != "SUBCOMMANDS:" }
        let known = help.compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#).map { String($0.1) } }
        let listed = try cells(below: "## Commands", of: "CommandLine.md").flatMap { cell in
            cell.matches(of: /`([a-z]+)( [^`]*)?`/).map { String($0.1) }
        }
        #expect(known.count > 8)
        #expect(Set(listed) == Set(known))
    }

    @Test func optionsAreThoseOfARun() async throws {
        let help = try await shown(by: "workflow-run run --help").drop { $0 != "OPTIONS:" }
        let known = help.compactMap { $0.firstMatch(of: /^  (--[a-z-]+)/).map { String($0.1) } }
        let listed = try cells(below: "## Options of a run", of: "CommandLine.md").flatMap { cell in
            cell.matches(of: /--[a-z-]+/).map { String($0.0) }
        }
        #expect(known.count > 15)
        #expect(Set(listed) == Set(known).subtracting(["--version"]))
    }

    @Test func linesOfTheREPLAreThoseOfItsHelp() async throws {
        let text = "echo .help | workflow-run repl Examples/hello/hello.lua"
        let known = try await shown(by: text).compactMap { line in
            line.wholeMatch(of: #/  (\S.*?)  +(.*)/#).map { String($0.1) }
        }
        let listed = try cells(below: "## Lines", of: "REPL.md").map { cell in
            cell.filter { $0 != "`" }.trimmingPrefix(" ").split(separator: " ")
                .joined(separator: " ")
        }
        #expect(known.count > 20)
        #expect(listed == known)
    }

    @Test func scriptsAreThoseOfTheRepository() throws {
        let page = try Page("CONTRIBUTING.md")
        let listed = page.lines.filter { $0.hasPrefix("| `Scripts/") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`Scripts\/([a-z-]+)`/).map { String($0.1) }
        }
        let files = try Repository.files(below: "Scripts", endings: [""])
            .map { String($0.dropFirst("Scripts/".count)) }
        let parts: Set = ["flags", "install-dependencies"]
        let folders = Set(files.compactMap { $0.firstIndex(of: "/").map($0.prefix(upTo:)) })
        let scripts = files.filter { name in
            !name.contains(/[.\/]/) && !parts.contains(name) && !folders.contains(name[...])
        }
        #expect(Set(listed) == Set(scripts))
    }
}
