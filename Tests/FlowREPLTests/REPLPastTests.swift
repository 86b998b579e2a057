import FlowChecking
import FlowOrigins
import FlowProtocol
import LuaVM
import PlainValue
import Synchronization
import Testing
import TestSupport
import Workflow
import WorkflowKit
import WorkflowLua

@testable import FlowREPL

@Suite struct REPLPastTests {
    private func todo() async throws -> Conversation {
        let talk = try await Conversation.example("todo")
        for line in [#"add{ text = "tea" }"#, #"add{ text = "milk" }"#, "rows[2].toggle"] {
            _ = await talk.answer(line)
        }
        return talk
    }

    @Test func aValueSaysWhereItComesFrom() async throws {
        let talk = try await todo()
        _ = await talk.answer(#"add{ text = "jam" }"#)
        #expect(
            await talk.answer(".why rows[2].done") == """
                  rows[2].done  true                            since step 3
                  rendered by   todo/item:2                     item.lua:23  done = item.done,
                  because of    props.item.done of todo/item:2  todo.lua:56  rows[index] = context:render(Item, { item = item }, {
                  because of    state.items[2].done of todo     put back alone: it is false again
                  written at    todo.lua:31                     item.done = not item.done
                  in            apply.toggle of todo            toggle { id = 2 }
                  from          output of todo/item:2           item.lua:10  toggle = function() return { type = "toggle" } end,
                  from          toggle                          to todo/item:2  1.5 s

                """)
    }

    @Test func aNodeSaysWhyItWasRendered() async throws {
        let talk = try await todo()
        #expect(
            await talk.answer(".why item:2") == """
                  todo/item:2  was rendered                    since step 3
                  because of   props.item.done of todo/item:2  todo.lua:56  rows[index] = context:render(Item, { item = item }, {
                  because of   state.items[2].done of todo     put back alone: it is false again
                  written at   todo.lua:31                     item.done = not item.done
                  in           apply.toggle of todo            toggle { id = 2 }
                  from         output of todo/item:2           item.lua:10  toggle = function() return { type = "toggle" } end,
                  from         toggle                          to todo/item:2  1.5 s

                """)
        #expect(
            await talk.answer(".why todo/item:1") == """
                  todo/item:1  was rendered          since step 1
                  rendered by  todo                  todo.lua:56  rows[index] = context:render(Item, { item = item }, {
                  note         it was rendered for the first time then
                  from         add { text = "tea" }  to todo  0.5 s

                """)
    }

    @Test func aStateSaysWhatWroteItAndWhatThatRead() async throws {
        let talk = try await todo()
        let origin = """
              state.items[2].done of todo  true                         since step 3
              written at            todo.lua:31                  item.done = not item.done
              in                    apply.toggle of todo         toggle { id = 2 }
              from                  output of todo/item:2        item.lua:10  toggle = function() return { type = "toggle" } end,
              from                  toggle                       to todo/item:2  1.5 s
              which read            state.items[2].done of todo  since step 2, made from itself

            """
        #expect(await talk.answer(".why state.items[2].done of todo through 1").hasPrefix(origin))
        #expect(
            await talk.answer(".why state.items[2].done") == origin + """
                  note                  not followed further, as asked: state.items[2].done of todo since step 2

                """)
        let short = await talk.answer(".why state.items[2].done through 0")
        #expect(short.contains("written at            todo.lua:31"))
        #expect(!short.contains("which read") && !short.contains("note"))
        let earlier = await talk.answer(".why state.items[2].done at 2")
        #expect(earlier.contains("state.items[2].done of todo  false "))
        #expect(earlier.contains("since step 2\n  written at            todo.lua:26"))
        #expect(
            await talk.answer(".why props.item.done of item:2").contains(
                "because of            state.items[2].done of todo     put back alone"))
        #expect(
            await talk.answer(".why action.id of todo") == """
                  action.id of todo  2                      since step 3
                  in                 apply.toggle of todo   toggle { id = 2 }
                  from               output of todo/item:2  item.lua:10  toggle = function() return { type = "toggle" } end,
                  from               toggle                 to todo/item:2  1.5 s

                """)
        #expect(
            await talk.answer(".why state.nothing of todo") == """
                error: there is no state.nothing of todo
                help: take a node of the tree and a path of what it has, such as state.items[1] of todo

                """)
        #expect(
            await talk.answer(".why props.item of item:7") == """
                error: there is no node 'item:7'
                help: .tree shows the nodes

                """)
        #expect(
            await talk.answer(".why action.number") == """
                error: no action of step 3 has action.number
                help: the actions are toggle, toggle { id = 2 }

                """)
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let talk = try await todo()
        #expect(
            await talk.answer(".why rows[7].done") == """
                error: the rendering has nothing at 'rows[7].done'
                help: .why not rows[7].done says what keeps it out; .rendering shows what there is

                """)
        #expect(
            await talk.answer(".why rows[") == """
                error: 'rows[' is not a path: column 6: expected a position or a key in double quotes
                help: write a path such as rows[1].text

                """)
    }

    @Test func whatKeepsSomethingOutIsSaid() async throws {
        let talk = try await todo()
        #expect(
            await talk.answer(".why not rows[1].rename") == """
                  rows[1].rename  is not there
                  written at     item.lua:28  row.rename = context:sink("rename")
                  but            item.lua:27  'state.editing' is false
                  appears after  rows[1].edit  (1 step)

                """)
        _ = await talk.answer("rows[2].toggle")
        #expect(
            await talk.answer(".why not clear_done") == """
                  clear_done  is not there
                  written at     todo.lua:69  clear_done = done > 0 and context:sink("clear_done") or nil,
                  but            todo.lua:69  'done > 0' is false
                  appears after  rows[1].toggle  (1 step)

                """)
        #expect(
            await talk.answer(".why not title") == """
                error: title is in the rendering
                help: .why title says where it comes from

                """)
    }

    @Test func whatNothingBringsIsSaidToo() async throws {
        let talk = try await Conversation.example("counter")
        let text = await talk.answer(".why not total")
        #expect(
            text == """
                  total  is not there
                  no line of counter.lua writes total
                  No way there was found in 200 states; there are more than were looked at.

                """)
    }

    @Test(arguments: [
        (
            "grid", "flow.lua:6  out.grid = true",
            "flow.lua:5  'state.mode == \"list\"' is true, so line 5 returned before"
        ),
        (
            "both", "flow.lua:7  if state.a then out.both = true end",
            "flow.lua:5  'state.mode == \"list\"' is true, so line 5 returned before"
        ),
        (
            "name", "flow.lua:4  local out = { name = state.name }",
            "flow.lua:4  'state.name' is nil"
        ),
        (
            "late", "flow.lua:2  local function later(out) out.late = true end",
            "flow.lua:5  'state.mode == \"list\"' is true, so line 5 returned before"
        ),
    ])
    func aLineBehindAnEarlyReturnIsFound(
        _ field: String, _ line: String, _ reason: String
    ) async throws {
        let scene = try Folder([
            "flow.lua": """
            local F = { state = { mode = "list" } }
            local function later(out) out.late = true end
            function F.render(state, context)
                local out = { name = state.name }
                if state.mode == "list" then return out end
                out.grid = true
                if state.a then out.both = true end
                later(out)
                return out
            end
            return F
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(
            await talk.answer(".why not \(field)").hasPrefix(
                """
                  \(field)  is not there
                  written at     \(line)
                  but            \(reason)

                """))
    }

    @Test(arguments: [
        ("if a then x.f = 1 end", "a:true"), ("if a then else x.f = 1 end", "a:false"),
        ("if a then elseif b.c(1) then x.f = 1 end", "a:false b.c(1):true"),
        ("if a then if b == 2 then x = { f = 1 } end end", "a:true b == 2:true"),
        ("if a then f = 1 end; x.f = 2", ""), ("x = { f = a and b or nil }", "| a b"),
        ("x = { f = g(a and b) }", "| g(a and b)"), ("if a\n or b then x.f = 1 end", "a or b:true"),
        ("x = a and { y = b == 1 and { f = 1 } }", "a:true b == 1:true"),
        ("x = a or { f = 1 }", "a:false"), ("x.f = a and b or g and 1 or false", "| a b | g"),
        ("x.f = (a and -- of b\n b.c or nil)", "| a b.c"), ("x.f, x.g = 1 + a, b", "| 1 + a"),
        ("local apply = {}; function apply.f() end; x.apply = apply", "none"),
        ("x.apply = { h = function(s) s.f = 1 end, f = function() end }", "none"),
        ("function x.apply.h(s) s.f = 1 end", "none"), ("x.state = { f = 1 }", "none"),
        ("g:sink('a', { f = 1 }); g:render(x, { f = 1 }, { f = 1 })", "none"),
        ("local f = a and b; x.f = f", "| f | a b"),
        ("x.f = (a and 1) or (b and (g or x)) or nil", "| a | b (g or x)"),
    ]) func conditionsOfALineAreRead(_ text: String, _ conditions: String) {
        let around = text.hasPrefix("x.state") ? text : "function x.render() \(text)\nend"
        let found = FieldWriting.all(
            of: "f", in: [("flow.lua", Array("local x, a, b, g\n\(around)".utf8))])
        var shown: [String] = []
        for writing in found {
            shown += writing.place.conditions.map { "\($0.text):\($0.isWanted)" }
            for part in writing.operands + writing.sources.flatMap(\.operands) {
                shown += part.isEmpty ? [] : ["|"] + part.map(\.text)
            }
        }
        #expect((found.isEmpty ? "none" : shown.joined(separator: " ")) == conditions)
    }

    @Test func linesAreLoggedOfThePastAndFromNowOn() async throws {
        let talk = try await todo()
        #expect(
            await talk.say(
                ".log todo.lua:31: {item.text} {item.done} where item.id > 1", "rows[2].toggle",
                "rows[1].toggle", ".log", ".undo 2", "rows[2].toggle", ".log off 1",
                "rows[2].toggle", ".log", ".log off 1", ".log nothing", ".log todo.lua:31: {")
                    == """
                    todo> .log todo.lua:31: {item.text} {item.done} where item.id > 1
                      step  node      in            line
                         3  todo      apply.toggle  todo.lua:31   milk false
                    todo> rows[2].toggle
                      ~ rows[2].done  false                            was true
                      ~ title         0 of 2 done                      was 1 of 2 done
                         4  todo      apply.toggle  todo.lua:31   milk true
                    todo> rows[1].toggle
                      ~ rows[1].done  true                             was false
                      ~ title         1 of 2 done                      was 0 of 2 done
                    todo> .log
                      1  todo.lua:31: {item.text} {item.done} where item.id > 1
                    todo> .undo 2
                      ~ rows[1].done  false                            was true
                      ~ rows[2].done  true                             was false
                      At 3 of 5.
                    todo@3/5> rows[2].toggle
                      ~ rows[2].done  false                            was true
                      ~ title         0 of 2 done                      was 1 of 2 done
                         4  todo      apply.toggle  todo.lua:31   milk true
                    todo> .log off 1
                      No more: todo.lua:31: {item.text} {item.done}
                    todo> rows[2].toggle
                      ~ rows[2].done  true                             was false
                      ~ title         1 of 2 done                      was 0 of 2 done
                    todo> .log
                    No line is logged.
                    todo> .log off 1
                    error: .log off takes the number of a line that is logged
                    help: .log shows them
                    todo> .log nothing
                    error: 'nothing' does not say where to log
                    help: write a file, a line and what to log, such as 'todo.lua:31: {item.id}'
                    todo> .log todo.lua:31: {
                    error: a brace in '{' is not closed
                    help: put each expression between braces, as in {item.id}

                    """)
    }

    private static let limited = """
        local Sum = { name = "sum", state = { n = 0 } }
        Sum.apply = {
            add = function(state, action)
                state.n = state.n + action.by
                -- Five is enough.

                if state.n > 5 then
                    error("too much")
                end
            end,
        }
        function Sum.render(state) return { n = state.n } end
        return Sum
        """

    @Test func linesOfCallsThatFailedAreLoggedToo() async throws {
        let scene = try Folder(["sum.lua": Self.limited])
        let talk = try await Conversation(scene.path("sum.lua"))
        _ = await talk.answer("add{ by = 9 }")
        let title = "  step  node      in            line\n"
        func hit(_ n: Int) -> String { "failed  sum       apply.add     sum.lua:8     \(n)\n" }
        #expect(await talk.answer(".log sum.lua:8: {state.n}") == title + hit(9))
        #expect(await talk.answer("add{ by = 1 }").hasSuffix("was 0\n"))
        #expect(await talk.answer("add{ by = 7 }").hasSuffix("the variables\n" + hit(8)))
        #expect(await talk.answer("add{ by = 2 }").hasSuffix("was 1\n"))
        #expect(await talk.answer(".undo").hasSuffix("At 1 of 2.\n"))
        // At an earlier step, a failed action drops nothing.
        #expect(await talk.answer("add{ by = 6 }").hasSuffix("the variables\n" + hit(7)))
        #expect(await talk.answer(".goto 2").hasSuffix("At 2 of 2.\n"))
        _ = await talk.answer(".log off 1")
        #expect(await talk.answer(".log sum.lua:8: {state.n}") == title + hit(9) + hit(8) + hit(7))
        let point = LogPoint(file: "sum.lua", line: 8, text: "")
        let hits = try await talk.session.log([point], steps: 0...2)
        #expect(hits.map(\.failure) == [1, 2, 3])
        #expect(hits.map(\.step) == [1, 2, 2])
        #expect(hits.compactMap { LogHit(document: $0.document)?.failure } == [1, 2, 3])
    }

    @Test func aLineWithoutCodeIsTheNextOneWithSome() async throws {
        let scene = try Folder(["sum.lua": Self.limited])
        let talk = try await Conversation(scene.path("sum.lua"))
        _ = await talk.answer("add{ by = 1 }")
        #expect(
            await talk.answer(".log sum.lua:5: {state.n}") == """
                  There is no code in line 5; line 7 is logged.
                  step  node      in            line
                     1  sum       apply.add     sum.lua:7     1

                """)
        #expect(
            await talk.answer(".log sum.lua:15: x")
                == "error: there is no code in line 15 of sum.lua or below\n")
    }

    @Test func aLongPathWidensNoColumn() async throws {
        let scene = try Folder([
            "flow.lua": """
            return { render = function() return { a_name_that_goes_on_and_on = 1 } end }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(
            await talk.answer(".why a_name_that_goes_on_and_on") == """
                  a_name_that_goes_on_and_on  1     from the beginning
                  rendered by           flow  flow.lua:1  return { render = function() return { a_name_that_goes_on_and_on = 1 } end }
                  note                  no path of state or props is known to matter: it has been so from the beginning

                """)
    }

    @Test func aPathIsSaidAsItIsWritten() async throws {
        let scene = try Folder([
            "flow.lua": """
            return { render = function() return { rows = { { ["schlüssel"] = 1 } } } end }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        for command in [".why", ".why not", ".rendering"] {
            let said = await talk.answer("\(command) rows[1].schlüssel")
            #expect(said.hasSuffix("help: this is written as rows[1][\"schlüssel\"]\n"))
        }
        #expect(await talk.answer(#".rendering rows[1]["schlüssel"]"#) == "  1\n")
    }

    /// A native workflow that a flow renders, with a callback for each render.
    private struct Bell: Workflow {
        struct Props: Decodable {}
        struct State: Codable {}
        let ring: @Sendable () -> Void
        func makeInitialState() -> State { State() }
        func render(state: State, context: RenderContext<Bell>) -> Int {
            ring()
            return 0
        }
    }

    @Test func theSearchForAWayThereIsInterrupted() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = { up = function(state) state.n = state.n + 1 end },
                render = function(state, context)
                    return { bell = context:render("bell", {}), up = context:sink("up") }
                end,
            }
            """
        ])
        let rings = Mutex(0)
        var options = REPL.Options()
        options.flowOptions.limits.timeLimit = .unreached
        options.flowOptions.registerNativeWorkflows = { [interrupt = options.interrupt] natives in
            natives.register("bell", props: Bell.Props.self) { _ in
                Bell {
                    let count = rings.withLock { rings in
                        rings += 1
                        return rings
                    }
                    if count >= 20 { interrupt.stop() }
                }
            }
        }
        let repl = try await REPL.open(.file(scene.path("flow.lua")), options: options)
        _ = await repl.news()
        let reply = await repl.respond(to: ".why not nothing")
        #expect(reply.hasFailed)
        #expect(reply.messages.map(\.text).joined() == "error: it was interrupted\n")
        // A full search would have rendered two hundred states.
        #expect(rings.withLock(\.self) < 60)
    }

    @Test func anAttachedREPLAsksTheProgram() async throws {
        let session = try await FlowSession.open(.file(Repository.path("Examples/todo/todo.lua")))
        try await session.send(["type": "add", "text": "tea"])
        let answers = Answers()
        for line in [
            #"{"id":1,"do":"why","path":"rows[1].text"}"#, #"{"id":2,"do":"why","node":"todo"}"#,
            #"{"id":3,"do":"log","points":[{"at":"todo.lua:25: {action.text}"}]}"#,
            #"{"id":4,"do":"log","points":[{"at":"todo.lua:25: x"}],"first":2}"#,
            #"{"id":5,"do":"why"}"#, #"{"id":6,"do":"log"}"#,
        ] { _ = await session.serve(line, answer: { answers.add($0) }) }
        let replies = answers.replies
        let value = try await session.origin(of: try ValuePath(parsing: "rows[1].text"))
        #expect(replies[1]?.value.flatMap(ValueOrigin.init(document:)) == value)
        let node = try await session.origin(ofNode: "todo")
        #expect(replies[2]?.value.flatMap(ValueOrigin.init(document:)) == node)
        let hits = (replies[3]?.value?.list ?? []).compactMap(LogHit.init(document:))
        #expect(hits.map(\.step) == [1])
        #expect(hits.map(\.phase) == [.apply("add")])
        #expect(replies[4]?.error?.message == "there are no steps 2 to 1")
        #expect(replies[5]?.error?.message == "a why has a \"path\" or a \"node\"")
        #expect(replies[6]?.error?.message == "a log has \"points\"")
    }
}

private final class Answers: Sendable {
    private let kinds = Mutex<[FlowEvent.Kind]>([])

    func add(_ kind: FlowEvent.Kind) { kinds.withLock { $0.append(kind) } }

    var replies: [Int: (value: Value?, error: FlowError?)] {
        var replies: [Int: (value: Value?, error: FlowError?)] = [:]
        for case .reply(let id, let value, let error) in kinds.withLock({ $0 }) {
            replies[id.int ?? 0] = (value, error)
        }
        return replies
    }
}
