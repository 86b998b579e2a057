import Foundation
import TestSupport
import Testing

/// Runs the commands of the pages in a reader's order, page after page, and compares the output.
/// With `DOCUMENTATION_UPDATE=1` the pages are updated with the present output.
@Suite(.serialized) struct ConsoleTests {
    /// A command that does not end, or that does not exit with 0.
    struct Exception: Sendable {
        enum Treatment: Sendable {
            case ends(Int32)
            /// It keeps running beside the next commands, which start when it has made this file.
            case goesOn(makes: String)
            case isNotRun
        }

        var page: String
        /// The beginning of the command.
        var command: String
        var treatment: Treatment
        var reason: String
    }

    private static let commandLine = "Sources/Tools/WorkflowCommand/Documentation.docc/"

    static let exceptions = [
        Exception(
            page: "CONTRIBUTING.md", command: "Scripts/check", treatment: .isNotRun,
            reason: "it runs the tests, of which this is one"),
        Exception(
            page: "README.md", command: "Scripts/run explore Examples/counter/counter.lua",
            treatment: .ends(1), reason: "it finds what it is asked to look for"),
        Exception(
            page: "Sources/Flow/FlowExploring/Documentation.docc/ExploringFlows.md",
            command: "workflow-run explore Examples/counter/counter.lua", treatment: .ends(1),
            reason: "it finds what it is asked to look for"),
        Exception(
            page: "Sources/Flow/FlowExploring/Documentation.docc/ExploringFlows.md",
            command: "workflow-run explore board.lua", treatment: .ends(1),
            reason: "it finds the lost approval"),
        Exception(
            page: "Sources/Flow/FlowTesting/Documentation.docc/TestingFlows.md",
            command: "workflow-run test Examples --watch", treatment: .isNotRun,
            reason: "it goes on until it is interrupted"),
        Exception(
            page: commandLine + "Recordings.md",
            command: "workflow-run replay todo.jsonl --flow edited.lua", treatment: .ends(66),
            reason: "the edited flow is the reader's own"),
        Exception(
            page: commandLine + "Recordings.md",
            command: "workflow-run replay todo.jsonl --bisect", treatment: .ends(1),
            reason: "nobody typed anything when it was recorded"),
        Exception(
            page: commandLine + "REPL.md",
            command: "workflow-run Examples/todo/todo.lua --listen todo.sock",
            treatment: .goesOn(makes: "todo.sock"), reason: "another terminal attaches to it"),
        Exception(
            page: "Sources/Flow/FlowProtocol/Documentation.docc/JSONProtocol.md",
            command: "workflow-run Examples/todo/todo.lua --listen todo.sock",
            treatment: .goesOn(makes: "todo.sock"), reason: "a client attaches to it"),
        Exception(
            page: "Examples/Embedding/README.md", command: "notes", treatment: .isNotRun,
            reason: "GuideTests of that package plays it"),
        Exception(
            page: "Examples/weather/README.md", command: "python3 -m http.server",
            treatment: .isNotRun,
            reason: "a server that goes on; the plugin is tested with one in HTTPPluginTests"),
        Exception(
            page: "Examples/weather/README.md", command: "Scripts/run", treatment: .isNotRun,
            reason: "it needs the server, and a plugin that is built only when it is asked for"),
    ]

    private static func exception(for command: Command, on page: Page) -> Exception? {
        exceptions.first { $0.page == page.path && command.text.hasPrefix($0.command) }
    }

    private static func isForATerminal(_ block: Page.Block) -> Bool {
        ["console", "sh"].contains(block.language)
    }

    /// Pages whose programs are not built for these tests; Tests/Service runs them.
    private static let elsewhere = "Sources/Service/FlowService/Documentation.docc/"

    static let pages = Page.all.filter { page in
        page.blocks.contains(where: isForATerminal) && !page.path.hasPrefix(elsewhere)
    }

    @Test(arguments: pages) func pageShowsWhatItsCommandsShow(_ page: Page) async throws {
        let stage = try CommandFolder()
        var updates: [(range: Range<Int>, lines: [String])] = []
        for block in page.blocks {
            // The files that the reader is told to write exist when they are needed.
            if let file = block.file {
                try stage.write(block.lines.joined(separator: "\n") + "\n", to: file)
            }
            guard Self.isForATerminal(block) else { continue }
            let commands = Command.all(in: block)
            // A command without output in the page must succeed.
            let showsNothing = block.language == "sh" || commands.allSatisfy(\.shown.isEmpty)
            var lines: [String] = []
            for command in commands {
                var (shown, status, expected) = (command.shown, Int32(0), Int32(0))
                switch Self.exception(for: command, on: page)?.treatment {
                case .isNotRun: break
                case .goesOn(let file): try await stage.start(command, untilItMakes: file)
                case .ends(let code):
                    expected = code
                    (shown, status) = try await stage.run(command)
                case nil: (shown, status) = try await stage.run(command)
                }
                if showsNothing {
                    #expect(status == expected, "\(command.text)\n\(shown.joined(separator: "\n"))")
                }
                // The plugins that are not built differ between clones.
                shown.removeAll { $0.hasPrefix("note: the plugin ") && $0.contains("is not built") }
                lines += ("$ " + command.text).components(separatedBy: "\n") + shown
            }
            guard !showsNothing else { continue }
            if CommandFolder.isUpdating {
                updates.append((block.range, lines))
            } else {
                expectSame(lines, block, on: page)
            }
        }
        guard !updates.isEmpty else { return }
        var updated = page.lines
        for (range, lines) in updates.reversed() { updated.replaceSubrange(range, with: lines) }
        try page.write(updated)
    }

    private func expectSame(_ lines: [String], _ block: Page.Block, on page: Page) {
        let (now, then) = (lines.map(\.withoutTimes), block.lines.map(\.withoutTimes))
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
            let commands = Self.pages.filter { $0.path == exception.page }
                .flatMap { $0.blocks.filter(Self.isForATerminal) }.flatMap(Command.all)
            #expect(
                commands.contains { $0.text.hasPrefix(exception.command) }, "\(exception.command)")
            #expect(!exception.reason.isEmpty)
        }
    }

    @Test func pagesWithCommandsAreFound() {
        let paths = Self.pages.map(\.path)
        #expect(paths.contains("README.md"))
        #expect(paths.contains("Sources/Flow/WorkflowLua/Documentation.docc/Tutorial.md"))
    }
}
