import ClockPlugin
import Workflow
@testable import FlowProtocol
import Foundation
import LuaVM
import PlainValue
import Synchronization
import Testing
import TestSupport
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct LookingTests {
    private static let flow = FlowSource.text(
        """
        local Row = { name = "row" }
        function Row.state(props) return { seen = props.n } end
        Row.apply = { up = function(state) return { type = "grow", by = state.seen } end }
        function Row.render(state, context)
            return { n = context.props.n, up = context:sink("up") }
        end

        local Flow = { name = "flow" }
        function Flow.state() return { count = 0, password = "p4ss" } end
        local function amount(action) return action.by end
        Flow.apply = {
            grow = function(state, action) state.count = state.count + amount(action) end,
            log_in = function(state, action) state.password = action.password end,
            tell = function(state) return { count = state.count, password = state.password } end,
            spoil = function(state) error("no luck") end,
        }
        function Flow.render(state, context)
            local rows = {}
            for index = 1, state.count do
                rows[index] = context:render(Row, { n = index }, {
                    key = index, on_output = function(output) return output end,
                })
            end
            return {
                count = state.count, rows = rows, password = state.password,
                grow = context:sink("grow"),
            }
        end
        return Flow
        """, name: "flow.lua")

    private struct Talk {
        let session: FlowSession
        let client: ProtocolClient
        private let answers = Answers()

        init(
            _ source: FlowSource = LookingTests.flow,
            options: FlowOptions = FlowOptions(limits: .unhurried),
            client: ProtocolClient = ProtocolClient()
        ) async throws {
            session = try await FlowSession.open(source, options: options)
            self.client = client
        }

        func ask(_ request: Value) async throws -> Value {
            var request = request
            request["id"] = 1
            _ = await session.serve(
                request.json, of: client, answer: { [answers] in answers.add($0) })
            return try #require(answers.removeReply())
        }

        func value(_ request: Value) async throws -> Value {
            let reply = try await ask(request)
            #expect(reply["ok"] == true, "\(reply)")
            return reply["value"] ?? .null
        }

        func error(_ request: Value) async throws -> String? {
            try await ask(request)["error"]?["message"]?.string
        }

        var news: [Value] { answers.news }
    }

    private final class Answers: Sendable {
        private let records = Mutex<[Value]>([])

        func add(_ kind: FlowEvent.Kind) {
            let event = FlowEvent(sequence: 1, milliseconds: 0, kind: kind)
            // What a client at the socket reads.
            let line = String(decoding: event.line.dropLast(), as: UTF8.self)
            records.withLock { $0.append((try? Value(json: line)) ?? .null) }
        }

        func removeReply() -> Value? {
            records.withLock { records in
                guard let index = records.lastIndex(where: { $0["type"] == "reply" }) else {
                    return nil
                }
                return records.remove(at: index)
            }
        }

        var news: [Value] { records.withLock { $0.filter { $0["type"] == "news" } } }
    }

    private func grown(
        _ options: FlowOptions = FlowOptions(limits: .unhurried)
    ) async throws -> Talk {
        let talk = try await Talk(options: options)
        for by in 1...3 { try await talk.session.send(["type": "grow", "by": .int(by)]) }
        return talk
    }

    // MARK: Parts of values

    @Test func aValueComesAsFarAsItIsAskedFor() async throws {
        let talk = try await grown()
        let whole = try await talk.value(["do": "value", "depth": 1])
        #expect(whole["step"] == 3)
        let entries = try #require(whole["slice"]?["entries"]?.list)
        #expect(entries.map { $0[0] } == ["count", "grow", "password", "rows"])
        #expect(entries[0][1] == 6)
        #expect(entries[1][1] == ["$": "sink", "node": "flow", "action": ["type": "grow"]])
        // Deeper than requested.
        #expect(entries[3][1] == ["$": "list", "of": 6, "from": 0])
        let rows = try await talk.value(
            ["do": "value", "path": "rows", "from": 4, "limit": 1, "depth": 2])
        #expect(rows["slice"]?["of"] == 6)
        #expect(rows["slice"]?["from"] == 4)
        #expect(rows["slice"]?["entries"]?.list?.count == 1)
        #expect(rows["slice"]?["entries"]?[0]?["entries"]?[0] == ["n", 5])
        let state = try await talk.value(["do": "value", "of": "state", "node": "flow/row:2"])
        #expect(state["slice"]?["entries"] == [["seen", 2]])
        let past = try await talk.value(["do": "value", "path": "count", "step": 1])
        #expect(past == ["step": 1, "path": "count", "slice": 1])
        let input = try await talk.value(["do": "value", "of": "input", "path": "action.by"])
        #expect(input["slice"] == 3)
    }

    @Test func whatIsNotThereIsAnErrorWithAStep() async throws {
        let talk = try await grown()
        #expect(
            try await talk.error(["do": "value", "path": "rows[9]"])
                == "there is nothing at rows[9] in the rendering of step 3")
        #expect(try await talk.error(["do": "value", "step": 9]) == "there is no step 9")
        #expect(
            try await talk.error(["do": "node", "path": "flow/row:4", "step": 1])
                == "there is no node 'flow/row:4' in step 1")
        #expect(try await talk.error(["do": "value", "of": "all"]) == "there is no value of 'all'")
        #expect(
            try await talk.error(["do": "value", "limit": -1])
                == "\"limit\" must be a whole number from 0 to 2^53, not -1")
        #expect(
            try await talk.error(["do": "value", "of": "input", "step": 0])
                == "no input led to step 0")
        #expect(try await talk.error(["do": "diff", "from": 2, "to": 7]) == "there is no step 7")
    }

    @Test func aForkIsMadeAtASocket() async throws {
        let error = try await Talk().ask(["do": "fork"])["error"]
        #expect(error?["message"] == "a session is forked at its socket only")
        #expect(error?["help"] == "listen at one with FlowSession.listen(at:)")
    }

    @Test func numbersOfAnySizeAreAnswered() async throws {
        let talk = try await grown()
        let verbs = [
            "value", "tree", "node", "diff", "inputs", "overview", "find", "journal", "messages",
            "states",
        ]
        let names = ["from", "to", "limit", "depth", "step", "most", "buckets"]
        for verb in verbs {
            for name in names {
                for number in [0, 1, 4, 1 << 53, .max - 1, .max, -1, .min] {
                    var request: Value = [
                        "do": .string(verb), "path": verb == "node" ? "flow" : "", "from": 0,
                        "to": 1, "expression": "false", "by": "state.count",
                    ]
                    request[name] = .int(number)
                    let reply = try await talk.ask(request)
                    #expect(reply["ok"]?.bool != nil, "\(request)")
                }
            }
        }
        for step in [-1, 9, Int.max, .min] {
            for verb in ["fork", "goto", "why", "rendering"] {
                let reply = try await talk.ask(
                    ["do": .string(verb), "step": .int(step), "path": "count"])
                #expect(reply["ok"] == false, "\(verb) \(step)")
            }
        }
        #expect(await talk.session.step == 3)
    }

    @Test func slicesAreBounded() {
        let long = String(repeating: "é", count: 5_000)
        let wide = Value.list(.init((0..<1_000).map { _ in ["text": .string(long)] as Value }))
        let slice = ValueSlices(depth: 5, limit: 1_000).slice(wide)
        #expect(slice["of"] == 1_000)
        let text = slice["entries"]?[0]?["entries"]?[0]?[1]
        #expect(text?["$"] == "text")
        #expect(text?["of"] == 10_000)
        #expect(text?["start"]?.string?.count == 1_000)
        // Nested lists: the reply shares its size among them.
        var deep = Value.int(1)
        for _ in 0..<6 { deep = .list(.init((0..<30).map { _ in deep })) }
        #expect(ValueSlices(depth: 64, limit: 30).slice(deep).json.utf8.count < 2_000_000)
        #expect(
            ValueSlices().slice(.int(1 << 60)) == ["$": "number", "start": "1152921504606846976"])
        #expect(ValueSlices().slice(.double(.infinity)) == ["$": "number", "start": "inf"])
        let next = ValueSlices(limit: 100_000).slice(.string(long), from: 4_999)
        #expect(next == ["$": "text", "of": 10_000, "from": 4_999, "start": "é"])
    }

    // MARK: Trees and differences

    @Test func theTreeComesByPages() async throws {
        let talk = try await grown()
        let top = try await talk.value(["do": "tree", "limit": 2])
        #expect(top["nodes"] == 7)
        #expect(top["tree"]?["children"] == 6)
        #expect(top["tree"]?["entries"]?.list?.count == 2)
        let page = try await talk.value(
            ["do": "tree", "under": "flow", "from": 5, "limit": 2, "depth": 1])
        #expect(page["tree"]?["from"] == 5)
        #expect(
            page["tree"]?["entries"] == [
                [
                    "path": "flow/row:6", "name": "row", "key": "6", "children": 0, "workers": 0,
                    "working": 0,
                ]
            ])
        let node = try await talk.value(["do": "node", "path": "flow/row:2"])
        #expect(node["props"]?["entries"] == [["n", 2]])
        #expect(node["state"]?["entries"] == [["seen", 2]])
    }

    @Test func aStepTellsAllThatDiffers() async throws {
        let talk = try await grown()
        let step = try await talk.value(["do": "diff", "from": 0, "to": 1])
        #expect(
            step["nodes"] == [
                [
                    "path": "flow", "kind": "changed",
                    "state": [
                        "count": 1,
                        "changes": [["path": "count", "kind": "changed", "old": 0, "new": 1]],
                    ],
                ], ["path": "flow/row:1", "kind": "appeared"],
            ])
        #expect(step["count"] == 2)
        #expect(step["rendering"]?["count"] == 2)
        #expect(
            step["rendered"] == [
                ["path": "flow", "cause": ["state"]], ["path": "flow/row:1", "cause": ["first"]],
            ])
        #expect(step["actions"]?[0]?["source"] == "client")
        let two = try await talk.value(["do": "diff", "from": 3, "to": 1])
        #expect(two["rendered"] == nil)
        #expect(two["nodes"]?.list?.filter { $0["kind"] == "vanished" }.count == 5)
        // The session has not moved.
        #expect(await talk.session.step == 3)
        _ = await #expect(throws: FlowError.self) { try await talk.session.send("spoil") }
        #expect(await talk.session.stepCount == 3)
    }

    /// The reported changes of a step, applied to the moment before it, give the moment after it.
    @Test func theJournalGivesEachMoment() async throws {
        let talk = try await grown()
        try await talk.session.send(["type": "up"], to: "flow/row:2")
        let journal = try await talk.value(["do": "journal"])
        #expect(journal["to"] == 4)
        #expect(journal["first"]?["order"] == ["flow"])
        let steps = try #require(journal["steps"]?.list)
        #expect(steps.count == 4)
        #expect(steps[3]["actions"]?.list?.count == 2)
        #expect(steps[3]["entry"]?["title"] == "up")
        let later = try await talk.value(["do": "journal", "from": 4])
        #expect(later["steps"] == [])
        #expect(later["first"]?["rendering"]?["count"] == 8)
        #expect(later["first"]?["nodes"]?["flow/row:8"]?["props"] == ["n": 8])
    }

    @Test func aLookIsOfTheCodeAndTheStepsOfNow() async throws {
        let talk = try await grown()
        #expect(try await talk.value(["do": "value", "path": "count", "step": 2])["slice"] == 3)
        try await talk.session.go(to: 1)
        try await talk.session.send(["type": "grow", "by": 5])
        #expect(try await talk.value(["do": "value", "path": "count", "step": 2])["slice"] == 6)
        #expect(try await talk.value(["do": "value", "path": "count"])["slice"] == 6)
    }

    /// A look gives the same as playing the inputs again, whatever was looked at before.
    @Test(arguments: SeededNumbers.seeds(1...4)) func looksDoNotDependOnEachOther(seed: UInt64)
        async throws
    {
        let talk = try await Talk()
        var random = SeededNumbers(seed: seed)
        for _ in 1...150 {
            let count = await talk.session.stepCount
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                try await talk.session.send(
                    ["type": "grow", "by": .int(Int.random(in: 1...2, using: &random))])
            case 5: try await talk.session.go(to: Int.random(in: 0...count, using: &random))
            case 6: try await talk.session.reload(.replayingInputs)
            default:
                let step = Int.random(in: 0...count, using: &random)
                let shown = try await talk.session.rendering(at: step)
                let look = try await talk.value([
                    "do": "journal", "from": .int(step), "to": .int(step),
                ])
                #expect(look["first"]?["rendering"] == shown)
                guard step > 0 else { continue }
                let diff = try await talk.value(
                    ["do": "diff", "from": .int(step - 1), "to": .int(step)])
                #expect(diff["rendered"]?.list?.isEmpty == false)
                let count = try await talk.value(
                    ["do": "value", "path": "count", "step": .int(step)])
                #expect(count["slice"] == shown["count"])
            }
        }
    }

    /// Nothing is cached if looking needs most of the flow's memory.
    @Test func looksLeaveTheSessionItsMemory() async throws {
        var options = FlowOptions(limits: .unhurried)
        options.limits.memoryLimit = 3 << 20
        let talk = try await Talk(options: options)
        try await talk.session.send(["type": "grow", "by": 700])
        for _ in 1...5 {
            try await talk.session.send(["type": "grow", "by": 1])
            let step = await talk.session.step
            let diff = try await talk.value(
                ["do": "diff", "from": .int(step - 2), "to": .int(step - 1)])
            #expect(diff["count"]?.int ?? 0 > 0)
        }
        #expect(await talk.session.rendering["count"] == 705)
    }

    /// All who look at a step of a reload see the state that was kept, as the session does.
    @Test func aKeptStateIsThatOfItsStep() async throws {
        let folder = try Folder()
        func write(by number: Int) throws {
            try folder.write(
                """
                return {
                    name = "sum", state = { sum = 0 },
                    apply = { add = function(state) state.sum = state.sum + \(number) end },
                    render = function(state) return { sum = state.sum } end,
                }
                """, to: "flow.lua")
        }
        try write(by: 1)
        let talk = try await Talk(.file(folder.path("flow.lua")))
        func sums(around step: Int) async throws -> [Int?] {
            let diff = try await talk.value([
                "do": "diff", "from": .int(step - 1), "to": .int(step),
            ])
            #expect(diff["rendered"]?.list?.count == 1)
            let change = diff["rendering"]?["changes"]?[0]
            let value = try await talk.value(["do": "value", "path": "sum", "step": .int(step)])
            return [change?["old"]?.int, change?["new"]?.int, value["slice"]?.int]
        }
        for _ in 1...3 { try await talk.session.send("add") }
        try write(by: 10)
        try await talk.session.reload()
        #expect(try await sums(around: 3) == [2, 3, 3])
        try await talk.session.send("add")
        try write(by: 100)
        try await talk.session.reload()
        try await talk.session.send("add")
        for (step, expected) in [
            (2, [1, 2, 2]), (3, [2, 3, 3]), (4, [3, 13, 13]), (5, [13, 113, 113]),
        ] { #expect(try await sums(around: step) == expected) }
        for (step, expected) in [(4, [3, 13, 13]), (3, [2, 3, 3])] {
            try await talk.session.go(to: step)
            let sums = try await sums(around: step)
            #expect(sums == expected, "step \(step)")
        }
        let found = try await talk.value(["do": "find", "expression": "rendering.sum == 13"])
        #expect(found["step"] == 4)
    }

    // MARK: Inputs

    @Test func inputsComeByPagesAndAreFound() async throws {
        let talk = try await grown()
        try await talk.session.update(props: ["title": "Milk"])
        let page = try await talk.value(["do": "inputs", "from": 2, "limit": 2])
        #expect(page["entries"]?.list?.map { $0["step"] } == [2, 3])
        #expect(page["next"] == 4)
        let found = try await talk.value(["do": "inputs", "match": "MILK"])
        #expect(found["entries"]?.list?.map { $0["kind"] } == ["props"])
        let kinds = try await talk.value(["do": "inputs", "kinds": ["action"]])
        #expect(kinds["entries"]?.list?.count == 3)
        let some = try await talk.value(["do": "inputs", "match": "milk", "most": 2])
        #expect(some["entries"] == [])
        #expect(some["next"] == 3)
        let overview = try await talk.value(["do": "overview", "buckets": 2])
        #expect(overview["buckets"] == [[2, 0, 0], [1, 0, 1]])
        let part = try await talk.value(["do": "overview", "from": 4, "to": 9])
        #expect(part["buckets"] == [[0, 0, 1]])
    }

    @Test func messagesSayWhoSentWhatToWhom() async throws {
        let talk = try await grown()
        try await talk.session.send("up", to: "flow/row:2")
        try await talk.session.send("tell")
        let count = await talk.session.stepCount
        let answer = try await talk.value(["do": "messages", "from": .int(count - 1)])
        #expect(answer["of"] == .int(count))
        #expect(answer["running"] == [])
        let steps = try #require(answer["steps"]?.list)
        #expect(steps.map { $0["step"] } == [.int(count - 1), .int(count)])
        let actions = try #require(steps[0]["actions"]?.list)
        #expect(actions.map { $0["node"] } == ["flow/row:2", "flow"])
        #expect(actions.map { $0["source"] } == ["client", "child:flow/row:2"])
        #expect(steps[0]["node"] == "flow/row:2")
        #expect(steps[0]["outputs"] == [])
        #expect(steps[1]["outputs"]?.list?.count == 1)
        // What is shown is found in the diff of the step, too.
        for (index, step) in steps.enumerated() {
            let to = count - 1 + index
            let diff = try await talk.value(["do": "diff", "from": .int(to - 1), "to": .int(to)])
            let nodes = [diff, step].map { $0["actions"]?.list?.map { $0["node"] } }
            #expect(nodes[0] == nodes[1])
        }
        let few = try await talk.value(["do": "messages", "from": 2, "limit": 1])
        #expect(few["steps"]?.list?.map { $0["step"] } == [2])
        #expect(try await talk.value(["do": "messages", "from": 99])["steps"] == [])
    }

    @Test func messagesHaveTheWorkersThatRun() async throws {
        let flow = FlowSource.text(
            """
            local Child = { name = "child" }
            Child.apply = { tick = function() end }
            function Child.render(_, context)
                context:run("clock.every", { seconds = 3600 }, { key = "k", on_output = "tick" })
            end
            local Flow = { name = "flow", state = { on = false } }
            Flow.apply = {
                turn = function(state) state.on = not state.on end, tick = function() end,
            }
            function Flow.render(state, context)
                context:run("clock.every", { seconds = 3600 }, { on_output = "tick" })
                if state.on then context:render(Child) end
            end
            return Flow
            """, name: "flow.lua")
        var options = FlowOptions(limits: .unhurried)
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        let talk = try await Talk(flow, options: options)
        try await talk.session.send("turn")
        try await talk.session.send("turn")
        let answer = try await talk.value(["do": "messages"])
        #expect(answer["running"] == [["node": "flow", "name": "clock.every"]])
        let worker: Value = ["node": "flow/child", "name": "clock.every", "key": "k"]
        for (step, kind) in [(0, "started"), (1, "gone")] {
            var change = worker
            change["kind"] = .string(kind)
            #expect(answer["steps"]?[step]?["workers"] == [change])
        }
        let later = try await talk.value(["do": "messages", "from": 2])
        #expect(later["running"] == [["node": "flow", "name": "clock.every"], worker])
    }

    @Test func statesAreAChartOfAField() async throws {
        let talk = try await grown()
        let whole = try await talk.value(["do": "states", "by": "state.count"])
        #expect(whole["first"] == "0")
        #expect(whole["next"] == nil)
        let edges = try #require(whole["edges"]?.list)
        #expect(edges.first?["from"] == "0")
        #expect(edges.map { $0["by"] }.allSatisfy { $0 != nil })
        // Parts make the whole.
        var parts: [Value] = []
        var from: Value? = 0
        while let step = from {
            let part = try await talk.value(
                ["do": "states", "by": "state.count", "from": step, "most": 1])
            parts += part["edges"]?.list ?? []
            from = part["next"]
        }
        #expect(parts.count == 3)
        #expect(Set(parts.map { $0["to"] }) == Set(edges.map { $0["to"] }))
        #expect(
            try await talk.error(["do": "states", "by": "count"])
                == "\"by\" begins with rendering, state or props, unlike 'count'")
        #expect(try await talk.error(["do": "states"]) == "states have a \"by\"")
    }

    @Test func nodesAreFoundByATextOfTheirPath() async throws {
        let talk = try await grown()
        let found = try await talk.value(["do": "tree", "match": "ROW:2"])
        #expect(found["found"]?.list?.map { $0["path"] } == ["flow/row:2"])
        let few = try await talk.value(["do": "tree", "match": "flow", "limit": 2])
        #expect(few["found"]?.list?.map { $0["path"] } == ["flow", "flow/row:1"])
        #expect(try await talk.value(["do": "tree", "match": "row", "step": 0])["found"] == [])
    }

    @Test func theFirstStepIsFoundAtWhichSomethingHolds() async throws {
        let talk = try await grown()
        let find: Value = [
            "do": "find", "expression": "rendering.count > 2 and #state.password > 0",
        ]
        #expect(try await talk.value(find) == ["step": 2])
        var some = find
        some["most"] = 1
        #expect(try await talk.value(some) == ["next": 1])
        #expect(try await talk.value(["do": "find", "expression": "false"]) == [:])
        #expect(try await talk.error(["do": "find", "expression": "1 +"])?.isEmpty == false)
    }

    @Test func formsSayWhatActionsAreMadeOf() async throws {
        let talk = try await grown()
        let forms = try await talk.value(["do": "forms"])["forms"]
        let grow = try #require(forms?.list?.first { $0["action"] == "grow" })
        // A function that receives the action reads the field.
        #expect(grow["fields"] == [["name": "by", "seen": [3, 2, 1]]])
        #expect(forms?.list?.contains { $0["action"] == "render" } == false)
    }

    @Test func formsAreOfTheDefinitionThatTheyStandIn() async throws {
        let source = """
            local Question = { name = "question" }
            Question.apply = { answer = function(_, action) return action.text end }
            local Size = { apply = { answer = function(_, action) return action.size end } }
            Size.name = "size"
            local Last = { name = "last", apply = {} }
            Last.apply.answer = function(_, action) return action.word end
            local Flow = { apply = { done = function(_, action) return action.output end } }
            function Flow.render() return {} end
            return Flow
            """
        let talk = try await Talk(.text(source, name: "flow.lua"))
        let forms = try await talk.value(["do": "forms"])["forms"]?.list ?? []
        let told = forms.map { form in
            [form["workflow"], form["action"], form["fields"]?[0]?["name"]].map { $0?.string }
        }
        #expect(
            told == [
                ["flow", "done", "output"], ["last", "answer", "word"],
                ["question", "answer", "text"], ["size", "answer", "size"],
            ])
    }

    // MARK: Sinks, workers and tests

    @Test func aSinkIsSentByItsPlace() async throws {
        let talk = try await grown()
        _ = try await talk.value(["do": "send", "at": "rows[2].up", "step": 3])
        #expect(await talk.session.rendering["count"] == 8)
        #expect(
            try await talk.error(["do": "send", "at": "rows[8].up", "step": 3])
                == "the sink at rows[8].up is another one than in step 3")
        #expect(
            try await talk.error(["do": "send", "at": "count"])
                == "there is no sink at count in the rendering")
        _ = try await talk.value(["do": "send", "at": "grow", "with": ["by": 1]])
        #expect(await talk.session.rendering["count"] == 9)
    }

    @Test func whatWasDoneIsARecordingAndATest() async throws {
        let talk = try await grown()
        let text = try #require(try await talk.value(["do": "recording"])["text"]?.string)
        let recording = try FlowRecording(parsing: text)
        #expect(recording.steps.count == 3)
        #expect(recording.steps[2].rendering == (await talk.session.rendering))
        let test = try #require(try await talk.value(["do": "test"])["text"]?.string)
        #expect(test.contains(#"flow:send { type = "grow", by = 3 }"#))
    }

    // MARK: Rights and secrets

    @Test func aNarrowedClientMayOnlyDoWhatItWasLeft() async throws {
        let talk = try await grown()
        _ = try await talk.value(["do": "narrow", "to": ["view", "travel"]])
        #expect(
            try await talk.error(["do": "send", "action": "tell"])
                == "'send' needs the right to act, which was not given")
        #expect(try await talk.ask(["do": "eval", "expression": "1"])["ok"] == false)
        #expect(try await talk.ask(["do": "find", "expression": "true"])["ok"] == false)
        _ = try await talk.value(["do": "undo"])
        _ = try await talk.value(["do": "narrow", "to": ["act"]])
        for request in ["status", "nodes", "tree", "timeline", "undo", "reload", "snapshot"] {
            #expect(try await talk.ask(["do": .string(request)])["ok"] == false, "\(request)")
        }
        // A narrowed scope cannot be widened again.
        _ = try await talk.value(["do": "narrow", "to": ["view"]])
        #expect(try await talk.ask(["do": "status"])["ok"] == false)
        #expect(await talk.session.stepCount == 3)
    }

    /// The source around an error can contain what is secret.
    @Test func theExcerptOfAnErrorInAReplyHidesSecrets() async throws {
        var options = FlowOptions(limits: .unhurried)
        options.secrets = ["password"]
        let talk = try await Talk(
            .text(
                """
                return {
                    name = "flow", state = { password = "hunter2" },
                    apply = function() error("no luck with hunter2") end,
                    render = function(state) return { password = state.password } end,
                }
                """, name: "flow.lua"), options: options)
        _ = try await talk.value(["do": "narrow", "to": ["view", "act"]])
        let reply = try await talk.ask(["do": "send", "action": "go"])
        #expect(reply["error"]?["excerpt"]?["lines"]?.list?.count ?? 0 > 1)
        #expect(reply["error"]?["message"]?.string?.contains("[secret") == true)
        #expect(!reply.json.contains("hunter2"))
    }

    @Test func secretsAreNotTold() async throws {
        var options = FlowOptions(limits: .unhurried)
        options.secrets = ["password"]
        let talk = try await grown(options)
        _ = try await talk.value(["do": "narrow", "to": ["view", "act", "travel", "evaluate"]])
        _ = try await talk.value(["do": "follow"])
        _ = try await talk.value(
            ["do": "send", "action": ["type": "log_in", "password": "s3cret"]])
        _ = try await talk.value(["do": "send", "action": "tell"])
        let requests: [Value] = [
            ["do": "value"], ["do": "value", "path": "password"],
            ["do": "value", "of": "state", "path": "password"], ["do": "node", "path": "flow"],
            ["do": "value", "of": "input", "step": 4], ["do": "diff", "from": 3, "to": 4],
            ["do": "diff", "from": 4, "to": 5], ["do": "diff", "from": 0, "to": 4],
            ["do": "inputs"], ["do": "forms"], ["do": "journal"], ["do": "recording"],
            ["do": "messages"], ["do": "states", "by": "state.password"],
            ["do": "states", "by": "rendering"], ["do": "states", "by": "state"], ["do": "test"],
            ["do": "nodes"], ["do": "rendering"], ["do": "timeline", "changes": true],
            ["do": "why", "path": "password"], ["do": "eval", "expression": "state.password"],
            ["do": "eval", "expression": "rendering"],
            ["do": "find", "expression": "state.password == \"s3cret\""],
            ["do": "log", "points": [["at": "flow.lua:11: {state.password}"]]],
            ["do": "log", "points": [["at": "flow.lua:26: {state.password}"]], "rendering": true],
        ]
        for request in requests {
            let reply = try await talk.ask(request)
            #expect(!reply.json.contains("s3cret"), "\(request)")
            #expect(!reply.json.contains("p4ss"), "\(request)")
        }
        #expect(
            try await talk.ask(["do": "find", "expression": "state.password == \"s3cret\""])[
                "value"] == [:])
        await talk.session.tellNews(to: try #require(talk.client.follower))
        #expect(talk.news.count > 1)
        #expect(!talk.news.description.contains("s3cret"))
    }
}
