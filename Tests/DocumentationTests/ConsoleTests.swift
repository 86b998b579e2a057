import Foundation
import TestSupport
import Testing

/// The commands that the pages show are run, one page after the other as a reader would, and what they show is compared.
///
/// With `DOCUMENTATION_UPDATE=1` in the environment the pages are written anew with what is shown now.
@Suite(.serialized) struct ConsoleTests {
    /// A command that is not run, or that does not end with 0.
    struct Exception: Sendable {
        var page: String
        /// How the command begins.
        var command: String
        /// The exit status that it ends with; `nil` if it is not run.
        var status: Int32?
        var reason: String
    }

    static let exceptions = [
        Exception(
            page: "README.md", command: "Scripts/test",
            reason: "it runs the tests, of which this is one"),
        Exception(
            page: "README.md", command: "Scripts/run test Examples --watch",
            reason: "it goes on until it is interrupted"),
        Exception(
            page: "README.md", command: "Scripts/run explore Examples/counter/counter.lua",
            status: 1, reason: "it finds what it is asked to look for"),
        Exception(
            page: "README.md", command: "Scripts/run replay todo.jsonl --flow edited.lua",
            status: 66, reason: "the edited flow is the reader's own"),
        Exception(
            page: "README.md", command: "Scripts/run replay todo.jsonl --bisect",
            status: 1, reason: "nobody typed anything when it was recorded"),
        Exception(
            page: "Examples/weather/README.md", command: "python3 -m http.server",
            reason: "a server that goes on; the plugin is tested with one in HTTPPluginTests"),
        Exception(
            page: "Examples/weather/README.md", command: "Scripts/run",
            reason: "it needs the server, and a plugin that is built only when it is asked for"),
    ]

    private static func exception(for command: Command, on page: Page) -> Exception? {
        exceptions.first { $0.page == page.path && command.text.hasPrefix($0.command) }
    }

    /// The blocks of a page that show a terminal on which flows are played.
    private static func blocks(of page: Page) -> [(block: Page.Block, commands: [Command])] {
        page.blocks.filter { ["console", "sh"].contains($0.language) }
            .map { ($0, Command.all(in: $0)) }
            .filter { $0.1.contains(where: \.runsFlows) }
    }

    static let pages = Page.all.filter { !blocks(of: $0).isEmpty }

    @Test(arguments: pages) func pageShowsWhatItsCommandsShow(_ page: Page) async throws {
        let stage = try Stage()
        var updates: [(range: Range<Int>, lines: [String])] = []
        for block in page.blocks {
            // What the reader is told to write is there when it is needed.
            if let file = block.file {
                try stage.write(block.lines.joined(separator: "\n") + "\n", to: file)
            }
            guard ["console", "sh"].contains(block.language) else { continue }
            let commands = Command.all(in: block)
            guard commands.contains(where: \.runsFlows) else { continue }
            // Commands alone have to work, whatever they show.
            let showsNothing = block.language == "sh" || commands.allSatisfy(\.shown.isEmpty)
            var lines: [String] = []
            for command in commands {
                var (shown, status) = (command.shown, Int32(0))
                let exception = Self.exception(for: command, on: page)
                if exception == nil || exception?.status != nil {
                    (shown, status) = try await stage.run(command)
                }
                if showsNothing {
                    #expect(
                        status == exception?.status ?? 0,
                        "\(command.text)\n\(shown.joined(separator: "\n"))")
                }
                lines += ("$ " + command.text).components(separatedBy: "\n") + shown
            }
            guard !showsNothing else { continue }
            if Stage.isUpdating {
                updates.append((block.range, lines))
            } else {
                expectSame(lines, block, on: page)
            }
        }
        guard !updates.isEmpty else { return }
        var updated = page.lines
        for (range, lines) in updates.reversed() { updated.replaceSubrange(range, with: lines) }
        try updated.joined(separator: "\n").write(
            toFile: Repository.root + page.path, atomically: true, encoding: .utf8)
    }

    private func expectSame(_ lines: [String], _ block: Page.Block, on page: Page) {
        func steady(_ lines: [String]) -> [String] {
            // When something happens, and how long it takes, is not always the same.
            lines.map {
                $0.replacing(/(<1|[\d.]+) m?s$/, with: "0 ms")
                    .replacing(/"at":"[^"]*Z"/, with: #""at":"""#)
            }
        }
        let (now, then) = (steady(lines), steady(block.lines))
        guard now != then else { return }
        let first = zip(now, then).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(page.path):\(block.range.lowerBound + first + 1) is not what is shown now:
            \(lines.joined(separator: "\n"))
            """)
    }

    @Test func exceptionsAreOfCommandsThatAreThere() {
        for exception in Self.exceptions {
            let commands = Page.all.filter { $0.path == exception.page }
                .flatMap(Self.blocks).flatMap(\.commands)
            #expect(commands.contains { $0.text.hasPrefix(exception.command) })
            #expect(!exception.reason.isEmpty)
        }
    }

    @Test func pagesWithCommandsAreFound() {
        let paths = Self.pages.map(\.path)
        #expect(paths.contains("README.md"))
        #expect(paths.contains("Examples/tutorial/README.md"))
    }
}
