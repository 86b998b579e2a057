import Foundation
import PlainValue
import TestSupport
import Testing

struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    var props: String?
    var replies: Int
    /// Values of renderings: the pass, from 1, a path in its rendering, and what is there.
    var milestones: [(pass: Int, path: String, value: Value)]
    var output: Value?

    var testDescription: String { name }

    var arguments: [String] { ["\(name).lua"] + (props.map { ["--props", "@\($0)"] } ?? []) }

    var input: String { get throws { try Repository.text("Examples/\(name)/\(name).in") } }

    static let all = [
        Example(
            name: "hello", replies: 1,
            milestones: [(1, "greeting", "Hello, world!")], output: "Goodbye, world!"),
        Example(
            name: "counter", replies: 5,
            milestones: [(1, "count", 0), (3, "count", 2), (4, "count", 1), (6, "count", -1)]),
        Example(
            name: "todo", replies: 9,
            milestones: [
                (1, "title", "0 of 0 done"), (4, "title", "0 of 3 done"),
                (5, "rows[1].done", true), (5, "rows[2].done", false),
                (7, "rows[3].text", "read a book"), (8, "title", "0 of 2 done"),
                (9, "rows[2].done", true),
            ],
            output: ["count": 2]),
        Example(
            name: "tic-tac-toe", props: "players.json", replies: 16,
            milestones: [
                (1, "message", "Ada, place your X"), (2, "message", "Grace, place your O"),
                (2, "rows[2][2].mark", "X"), (6, "message", "Ada wins"),
                (7, "rows[2][2].mark", ""), (16, "message", "A draw"),
            ],
            output: [
                "board": [["X", "O", "X"], ["O", "O", "X"], ["X", "X", "O"]], "draw": true,
            ]),
        Example(
            name: "welcome", replies: 9,
            milestones: [
                (1, "screens[1].screen", "splash"), (2, "screens[2].screen", "login"),
                (3, "screens[2].email", "ada"), (4, "screens[3].screen", "sign_up"),
                (7, "screens[3].email", "ada@example.org"),
                (9, "screens[2].email", "ada@example.org"),
            ], output: ["user": "ada@example.org"]),
        Example(
            name: "checkout", props: "cart.json", replies: 8,
            milestones: [
                (1, "total", 33.5), (2, "total", 73.5), (3, "items[1].quantity", 2),
                (4, "total", 43.0), (5, "payment.status", "authorizing"),
                (6, "payment.reason", "card expired"), (7, "payment.status", "authorizing"),
                (8, "confirmation.message", "Thank you for order A-1042"),
            ], output: ["order": "A-1042", "total": 43.0]),
    ]
}

@Suite struct ExampleTests {
    @Test(arguments: Example.all)
    func exampleAnswersItsOwnRequests(_ example: Example) async throws {
        let folder = Repository.path("Examples/\(example.name)")
        let requests = try example.input
        let program = try await RunningProgram(example.arguments + ["--json"], in: folder)
        program.write(requests)
        let outcome = try await program.finish()
        let events = try Events(outcome.stdout)
        #expect(events.types.first == "ready")
        #expect(events.all.first?["flow"] == .string(example.name))
        #expect(
            events.of("reply").map { $0["ok"] } == Array(repeating: true, count: example.replies))
        for milestone in example.milestones {
            let rendering = try #require(events.renderings.dropFirst(milestone.pass - 1).first)
            let path = try ValuePath(parsing: milestone.path)
            #expect(rendering[path] == milestone.value, "\(milestone.path) in \(milestone.pass)")
        }
        #expect(events.of("output").map { $0["output"] } == (example.output.map { [$0] } ?? []))
        #expect(events.types.last == "done")
        #expect(events.all.last?["reason"] == (example.output == nil ? "eof" : "finished"))
        #expect(outcome.status == 0)
        #expect(outcome.stderr == "")
    }

    #if os(Linux)
        /// Two runs give equal bytes, but for the times in them.
        @Test(arguments: Example.all)
        func aProcessOfItsOwnChangesNothing(_ example: Example) async throws {
            let folder = Repository.path("Examples/\(example.name)")
            let requests = try example.input
            var lines: [[String]] = []
            for options in [["--json"], ["--json", "--isolate"]] {
                let program = try await RunningProgram(example.arguments + options, in: folder)
                program.write(requests)
                let outcome = try await program.finish()
                #expect(outcome.status == 0)
                #expect(outcome.stderr == "")
                lines.append(
                    outcome.stdout.split(separator: "\n").map { line in
                        String(line).replacing(/"at":"[^"]*"/, with: "")
                    })
            }
            #expect(lines[0] == lines[1])
        }
    #endif

    @Test(arguments: [
        PlainPlay(
            name: "hello", input: "leave\n",
            stdout: """
                rendering { greeting = "Hello, world!", leave = "→ leave" }
                output "Goodbye, world!"

                """),
        PlainPlay(
            name: "counter", options: ["--props", #"{"step": 5}"#], input: "increment\ndecrement\n",
            stdout: """
                rendering { count = 0, decrement = "→ decrement", increment = "→ increment", reset = "→ reset" }
                rendering { count = 5, decrement = "→ decrement", increment = "→ increment", reset = "→ reset" }
                rendering { count = 0, decrement = "→ decrement", increment = "→ increment", reset = "→ reset" }

                """),
        PlainPlay(
            name: "todo",
            input: """
                add{ text = "milk" }
                {"$sink":{"node":"todo/item:1","action":{"type":"toggle"}}}
                finish

                """,
            stdout: """
                rendering { add = "→ add", finish = "→ finish", rows = {}, title = "0 of 0 done" }
                rendering { add = "→ add", finish = "→ finish", rows = { { done = false, edit = "→ edit", \
                remove = "→ remove", text = "milk", toggle = "→ toggle" } }, title = "0 of 1 done" }
                rendering { add = "→ add", clear_done = "→ clear_done", finish = "→ finish", \
                rows = { { done = true, edit = "→ edit", remove = "→ remove", text = "milk", \
                toggle = "→ toggle" } }, title = "1 of 1 done" }
                output { count = 1 }

                """),
        PlainPlay(
            name: "welcome", input: #"{"$sink":{"node":"welcome/splash","action":"continue"}}"#,
            stdout: """
                rendering { screens = { { continue = "→ continue", screen = "splash", title = "Welcome" } } }

                """,
            stderr: """
                error: a sink has the form {"$sink": {"node": …, "action": {…}}}
                help: send a sink of the rendering as it stands

                """, status: 65),
        PlainPlay(
            name: "checkout", input: "pay\n",
            stdout: """
                rendering { add_item = "→ add_item", items = {}, screen = "cart", total = 0 }

                """,
            stderr: """
                error: the cart is empty
                   ┌─ checkout.lua:32
                   │
                31 │         require_screen(state, action, "cart")
                32 │         assert(#state.items > 0, "the cart is empty")
                33 │         state.screen = "paying"
                   │
                   = in apply.pay of checkout
                   = the action was rolled back; the state is as before
                   = locals: state = { items = {}, screen = "cart" }, action = { type = "pay" }

                """, status: 65),
        PlainPlay(
            name: "tic-tac-toe", options: ["--quiet", "--props", "@players.json"], input: "quit\n",
            stdout: ""),
    ]) func exampleIsPlayedInAPlainPipe(_ play: PlainPlay) async throws {
        let program = try await RunningProgram(
            ["\(play.name).lua"] + play.options, in: Repository.path("Examples/\(play.name)"))
        program.write(play.input)
        let outcome = try await program.finish()
        #expect(outcome.stdout == play.stdout)
        #expect(outcome.stderr == play.stderr)
        #expect(outcome.status == play.status)
    }
}

struct PlainPlay: Sendable, CustomTestStringConvertible {
    var name: String
    var options: [String] = []
    var input: String
    var stdout: String
    var stderr = ""
    var status: Int32 = 0

    var testDescription: String { name }
}
