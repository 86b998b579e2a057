import FlowChecking
import FlowOrigins
import FlowServing
import PlainValue
import Synchronization
import Testing
import TestSupport
import WorkflowKit
import WorkflowLua

@testable import FlowREPL
@testable import WorkflowCommand

/// What is asked of steps that have been.
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

    @Test func whatIsNotThereIsSaid() async throws {
        let talk = try await todo()
        #expect(
            await talk.answer(".why rows[7].done") == """
                error: the rendering has nothing at 'rows[7].done'
                help: .why not rows[7].done says what keeps it out; .rendering shows what there is

                """)
        #expect(
            await talk.answer(".why rows[") == """
                error: 'rows[' is no path: column 6: expected a position or a key in double quotes
                help: write a path such as rows[1].text; .rendering shows all of it

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
        ("if a then x.f = 1 end", "a:true"), ("if a then else x.f = 1 end", "a:false"),
        ("if a then elseif b.c(1) then x.f = 1 end", "a:false b.c(1):true"),
        ("if a then if b == 2 then x = { f = 1 } end end", "a:true b == 2:true"),
        ("if a then f = 1 end; x.f = 2", ""), ("x = { f = a and b or nil }", "a:true"),
        ("x = { f = g(a and b) }", ""), ("if a\n or b then x.f = 1 end", "a or b:true"),
    ])
    func conditionsAroundALineAreRead(_ text: String, _ conditions: String) {
        let found = FieldWriting.all(of: "f", in: Array("local x, a, b, g\n\(text)".utf8))
        #expect(found.count == 1)
        let shown = found.first?.conditions.map { "\($0.text):\($0.isWanted)" } ?? []
        #expect(shown.joined(separator: " ") == conditions)
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

    @Test func anAttachedREPLAsksTheProgram() async throws {
        let session = try await FlowSession.open(.file(Repository.path("Examples/todo/todo.lua")))
        try await session.send(["type": "add", "text": "tea"])
        let answers = Answers()
        for line in [
            #"{"id":1,"do":"why","path":"rows[1].text"}"#, #"{"id":2,"do":"why","node":"todo"}"#,
            #"{"id":3,"do":"log","points":[{"at":"todo.lua:25: {action.text}"}]}"#,
            #"{"id":4,"do":"log","points":[{"at":"todo.lua:25: x"}],"first":2}"#,
            #"{"id":5,"do":"why"}"#, #"{"id":6,"do":"log"}"#,
        ] {
            _ = await session.serve(line, answer: { answers.add($0) })
        }
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

/// The replies to requests, by their numbers.
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
