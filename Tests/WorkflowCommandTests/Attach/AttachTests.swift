import FlowProtocol
import Foundation
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct AttachTests {
    @Test func commandsAreThoseOfTheREPL() async throws {
        let flow = try await ListeningFlow("todo")
        let outcome = try await flow.attach(
            input: """
                add{ text = "milk" }
                = #state.items
                add{
                  text = "tea"
                }
                rows[1].toggle
                .tree
                .undo
                .diff
                .redo
                .goto 1
                .branch
                .state todo/item:1
                .workers
                .actions
                .reload
                {"type": "add", "text": "salt"}
                = {
                  rendering.title,
                  #state.items
                }

                """)
        #expect(
            outcome.stdout == """
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done
                1
                  + rows[2]   { done = false, text = "tea" }
                  ~ title     0 of 2 done                        was 0 of 1 done
                  ~ rows[1].done  true                             was false
                  ~ title         1 of 2 done                      was 0 of 2 done
                  todo  { items = { { done = true, id = 1, text = "milk" }, { done = false, id …
                    item:1  { editing = false }
                    item:2  { editing = false }
                  ~ rows[1].done  false                            was true
                  ~ title         0 of 2 done                      was 1 of 2 done
                  At 2 of 3.
                  + rows[2]   { done = false, text = "tea" }
                  ~ title     0 of 2 done                        was 0 of 1 done
                  ~ rows[1].done  true                             was false
                  ~ title         1 of 2 done                      was 0 of 2 done
                  At 3 of 3.
                  ~ rows[1].done  false                            was true
                  - rows[2]
                  ~ title         0 of 1 done                      was 1 of 2 done
                  At 1 of 3.
                  Goes on from 1; 2 later steps are given up.
                  editing  false
                No node declares a worker.
                  add             { text }
                  clear_done
                  finish
                  remove          { id }
                  rename          { id, text }
                  toggle          { id }
                  rows[1].edit    → edit
                  rows[1].remove  → remove
                  rows[1].toggle  → toggle
                Reloaded; the state is as before.
                  + rows[2]   { done = false, text = "salt" }
                  ~ title     0 of 2 done                        was 0 of 1 done
                { "0 of 2 done", 2 }

                """)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        // The session goes on.
        #expect(await flow.session.rendering["title"] == "0 of 2 done")
        #expect(await flow.session.stepCount == 2)
        await flow.session.close()
    }

    @Test func errorsHaveTheirPlaceAndEndIn65() async throws {
        let flow = try await ListeningFlow(
            """
            return {
                state = { n = 0 },
                apply = { add = function(state, action) state.n = state.n + action.by end },
                render = function(state) return { n = state.n } end,
            }
            """)
        let outcome = try await flow.attach(input: "ad\nadd\n= n.x\n.locals\nadd{ by = 2 }\n")
        #expect(
            outcome.stdout == """
                The last error has no local variables.
                  ~ n         2                                  was 0

                """)
        #expect(
            outcome.stderr == """
                error: flow has no action 'ad'. Did you mean 'add'?
                error: attempt to perform arithmetic on a nil value (field 'by')  flow.lua:3
                help: 'by' is not set here; give it a value, or write (by or 0)
                error: there is no global 'n'

                """)
        #expect(outcome.status == 65)
        await flow.session.close()
    }

    @Test func filesAreTheClients() async throws {
        let flow = try await ListeningFlow("todo")
        try await flow.session.send(["type": "add", "text": "before"])
        let outcome = try await flow.attach(
            input: """
                add{ text = "milk" }
                .undo
                .redo
                .timeline
                .diff 1
                .save since.jsonl
                .snapshot state.json
                .load other.lua
                .test it
                .save since.jsonl

                """)
        // How long after attaching is not the same each time.
        let shown = outcome.stdout.replacing(#/ +\d+\.\d s /#, with: "   0.0 s ")
        #expect(
            shown == """
                  + rows[2]   { done = false, text = "milk" }
                  ~ title     0 of 2 done                        was 0 of 1 done
                  - rows[2]
                  ~ title     0 of 1 done                        was 0 of 2 done
                  At 1 of 2.
                  + rows[2]   { done = false, text = "milk" }
                  ~ title     0 of 2 done                        was 0 of 1 done
                  At 2 of 2.
                     #   after  node  action                   from  changed
                     0          todo  (start)
                     1  before  todo  add { text = "before" }  you   rows, title
                  ▸  2   0.0 s  todo  add { text = "milk" }    you   rows, title
                  + rows[1]   { done = false, text = "before" }
                  ~ title     0 of 1 done                        was 0 of 0 done
                  Saved since.jsonl, 1 step since you attached.
                  Saved state.json, the state at step 2.

                """)
        #expect(
            outcome.stderr == """
                error: an attached session plays the flow of its program
                help: open another with workflow-run repl other.lua
                error: a test plays a session from its start, and this one was attached to later
                help: .save FILE keeps what came since; workflow-run replay FILE plays it
                error: there is a file since.jsonl already
                help: choose another name, or remove it

                """)
        await flow.session.close()
        let replay = try await flow.scene.run("replay", "since.jsonl")
        #expect(replay.stdout == "✓ todo: 1 step, all as recorded\n")
        let later = try await flow.scene.run(
            "repl", Repository.example("todo"),
            "--restore", "state.json", input: "= rendering.title\n")
        #expect(later.stdout == "\"0 of 2 done\"\n")
    }

    @Test func recordingThatCannotBePlayedIsNotSaved() async throws {
        let flow = try await ListeningFlow("counter")
        try await flow.session.send("increment")
        let outcome = try await flow.attach(input: ".undo\n.save since.jsonl\n")
        #expect(
            outcome.stderr == """
                error: what came since you attached cannot be played again: it goes back to step 0, but begins at step 1 of \
                its session
                help: detach, attach again, and .save what comes then

                """)
        #expect(outcome.status == 65)
        await flow.session.close()
    }

    @Test func stateThatCannotBeKeptCannotBeSaved() async throws {
        struct Meter: Workflow {
            struct Props: Decodable {}
            struct State { var count = 7 }
            func makeInitialState() -> State { State() }
            func render(state: State, context: RenderContext<Meter>) -> Int { state.count }
        }
        let scene = try Folder()
        let session = try await FlowSession.open(
            .native("meter"),
            options: FlowOptions(registerNativeWorkflows: { natives in
                natives.register("meter", props: Meter.Props.self) { _ in Meter() }
            }))
        let socket = try await session.listen(at: scene.path("s.sock"))
        let outcome = try await scene.run(
            "attach", scene.path("s.sock"), input: ".save s.jsonl\n.snapshot s.json\n")
        #expect(
            outcome.stderr == """
                error: the session has a state that cannot be kept, so that nothing goes on from it
                help: make the states of native workflows Codable
                error: the state of host/Meter cannot be kept
                help: make the states of native workflows Codable

                """)
        await socket.close()
        await session.close()
    }

    @Test func linesOfJSONAreCarriedBothWays() async throws {
        let flow = try await ListeningFlow("counter")
        let outcome = try await flow.attach(
            "--json",
            input: """
                {"id":1,"do":"send","action":"increment"}
                {"id":2,"do":"eval","expression":"state.count + 1"}
                nonsense
                {"id":3,"do":"quit"}
                {"id":4,"do":"send","action":"increment"}

                """)
        let events = try outcome.stdout.split(separator: "\n").map { try Value(json: String($0)) }
        #expect(
            events.map { $0["type"] } == [
                "ready", "rendering", "action", "rendering", "reply", "reply", "error", "reply",
                "done",
            ])
        #expect(events.filter { $0["type"] == "reply" }.map { $0["value"] } == [nil, 2, nil])
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        #expect(await flow.session.rendering["count"] == 1)
        await flow.session.close()
    }

    @Test func endOfTheSessionIsToldAndNoError() async throws {
        let flow = try await ListeningFlow("counter")
        let client = try await flow.scene.start(["attach", flow.path])
        client.write("increment\n")
        _ = await client.line()
        await flow.session.close()
        let outcome = try await client.finish(closingInput: false)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "note: the session has ended\n")
        #expect(outcome.status == 0)
    }
}
