import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite struct TodoRequestTests {
    private func play(_ requests: String) async throws -> (events: Events, outcome: Outcome) {
        let program = try await RunningProgram(
            ["todo.lua", "--json"], in: Repository.path("Examples/todo"))
        program.write(requests)
        let outcome = try await program.finish()
        return (try Events(outcome.stdout), outcome)
    }

    private let twoItems = """
        {"id":1,"do":"send","action":{"type":"add","text":"milk"}}
        {"id":2,"do":"send","action":{"type":"add","text":"bread"}}

        """

    @Test func oneRequestGivesSixEvents() async throws {
        let (events, outcome) = try await play(
            #"{"id":1,"do":"send","action":{"type":"add","text":"milk"}}"# + "\n")
        #expect(events.types == ["ready", "rendering", "action", "rendering", "reply", "done"])
        #expect(outcome.status == 0)
        #expect(outcome.stderr == "")
        #expect(events.all[0]["protocol"] == 1)
        #expect(events.all[0]["lua"] == .string(LuaVM.release))
        #expect(events.all[2]["node"] == "todo")
        #expect(events.all[2]["source"] == "client")
        #expect(events.all[2]["action"] == ["type": "add", "text": "milk"])
        #expect(events.all[3]["cause"] == 3)
        #expect(events.all[3]["pass"] == 2)
        #expect(
            events.all[3]["actions"]
                == ["add", "clear_done", "finish", "remove", "rename", "toggle"])
        #expect(events.all[4]["id"] == 1)
        #expect(events.all[4]["ok"] == true)
        #expect(events.all[5]["reason"] == "eof")
        #expect(events.all[5]["exit"] == 0)
    }

    @Test func sinkSentBackAsItStandsTogglesThatItemOnly() async throws {
        let first = try await play(twoItems).events
        let rows = try #require(first.renderings.last?["rows"]?.list)
        let sink = try #require(rows[1]["toggle"])
        let events = try await play(
            twoItems + #"{"id":3,"do":"send","sink":\#(sink.json)}"# + "\n"
        ).events
        let before = try #require(events.renderings.dropLast().last)
        let after = try #require(events.renderings.last)
        let done = after["rows"]?.list?.map { $0["done"] }
        #expect(done == [false, true])
        // Only that item and the summary have changed.
        #expect(after["rows"]?[0] == before["rows"]?[0])
        #expect(after["rows"]?[1]?["text"] == "bread")
        #expect(after["title"] == "1 of 2 done")
    }

    @Test func withAddsFieldsToTheActionOfASink() async throws {
        let first = try await play("").events
        let sink = try #require(first.renderings.first?["add"])
        let events = try await play(
            #"{"id":1,"do":"send","sink":\#(sink.json),"with":{"text":"tea","type":"quit"}}"# + "\n"
        ).events
        // The type is the sink's, whatever is sent with it.
        #expect(events.of("action").first?["action"] == ["type": "add", "text": "tea"])
        #expect(events.renderings.last?["rows"]?[0]?["text"] == "tea")
    }

    @Test func outputsOfChildrenAreActionsOfTheirParents() async throws {
        let events = try await play(
            twoItems + #"{"id":3,"do":"send","node":"todo/item:2","action":"toggle"}"# + "\n"
        ).events
        #expect(
            events.of("action").suffix(2).map { $0["source"] } == ["client", "child:todo/item:2"])
        #expect(events.of("action").suffix(2).map { $0["node"] } == ["todo/item:2", "todo"])
        #expect(events.of("action").last?["action"] == ["type": "toggle", "id": 2])
    }

    @Test func sinkOfANodeThatHasGoneIsDroppedAndReported() async throws {
        let sink = #"{"$sink":{"node":"todo/item:1","action":{"type":"toggle"}}}"#
        let events = try await play(
            """
            {"id":1,"do":"send","action":{"type":"add","text":"milk"}}
            {"id":2,"do":"send","action":{"type":"remove","id":1}}
            {"id":3,"do":"send","sink":\(sink)}
            {"id":4,"do":"send","action":{"type":"add","text":"tea"}}

            """
        ).events
        #expect(
            events.text("dropped")
                == #"{"action":{"type":"toggle"},"node":"todo/item:1","reason":"no_such_node"}"#)
        #expect(
            events.text("error")
                == #"{"code":"unknown_node","message":"there is no node 'todo/item:1' in the tree"}"#
        )
        #expect(events.of("reply").map { $0["ok"] } == [true, true, false, true])
        #expect(events.renderings.last?["title"] == "0 of 1 done")
    }

    @Test func sinkOfANodeThatHasGoneIsAnErrorInAPlainPipe() async throws {
        let program = try await RunningProgram(
            ["todo.lua", "--quiet"], in: Repository.path("Examples/todo"))
        program.write(
            #"{"$sink":{"node":"todo/item:1","action":{"type":"toggle"}}}"# + "\nfinish\n")
        let outcome = try await program.finish()
        #expect(outcome.stderr == "error: there is no node 'todo/item:1' in the tree\n")
        #expect(outcome.stdout == "output { count = 0 }\n")
        #expect(outcome.status == 65)
    }
}
