import FlowDebugging
import Foundation
import PlainValue
import TestSupport
import Testing

@Suite struct DebugTests {
    private static let list = """
        local Item = require "item"

        local List = { name = "list" }

        function List.state()
            return { items = {} }
        end

        local function find(state, id)
            for _, item in ipairs(state.items) do
                if item.id == id then
                    return item
                end
            end
            error("no item " .. tostring(id))
        end

        List.apply = {
            add = function(state, action)
                local item = { id = #state.items + 1, done = false, password = "hunter2" }
                table.insert(state.items, item)
            end,
            toggle = function(state, action)
                local item = find(state, action.id)
                item.done = not item.done
            end,
            spin = function(state)
                local step = coroutine.wrap(function()
                    while true do
                        state.n = (state.n or 0) + 1
                    end
                end)
                step()
            end,
        }

        function List.render(state, context)
            local rows = {}
            for index, item in ipairs(state.items) do
                rows[index] = context:render(Item, { item = item }, {
                    key = item.id,
                    on_output = function() return { type = "toggle", id = item.id } end,
                })
            end
            return { rows = rows, count = #rows, add = context:sink("add") }
        end

        return List
        """
    private static let item = """
        local Item = { name = "item" }
        Item.apply = {
            tap = function()
                return "tapped"
            end,
        }
        function Item.render(_, context)
            local item = context.props.item
            return { done = item.done, tap = context:sink("tap") }
        end
        return Item
        """

    private func check(
        _ found: String, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation
    ) { #expect(found == wanted, sourceLocation: sourceLocation) }

    private func scene() throws -> Folder {
        try Folder(["list.lua": Self.list, "item.lua": Self.item])
    }

    private func recorded(
        _ lines: String = "add\nadd\nrows[2].tap\nadd\nrows[2].tap\nrows[1].tap\n"
    ) async throws -> Folder {
        let scene = try scene()
        _ = try await scene.run("list.lua", "--record", "s.jsonl", input: lines)
        return scene
    }

    private func open(
        _ scene: Folder, _ program: String = "s.jsonl", _ breakpoints: [Value] = [],
        more: Value.Record = [:], secrets: Set<String> = [], before: [(String, Value)] = []
    ) async throws -> DebugClient {
        let client = try DebugClient(secrets: secrets)
        var arguments = more
        arguments["program"] = .string(scene.path(program))
        arguments["flow"] = .string(scene.path("list.lua"))
        try await client.launch(
            .record(arguments), in: scene.path("list.lua"), breakpoints, before: before)
        return client
    }

    @Test func itGoesBothWays() async throws {
        let client = try await open(try await recorded(), "s.jsonl", [["line": 25]])
        check(try await client.place, "breakpoint list.lua:25 apply.toggle of list")
        #expect(
            try await client.variables("Locals") == [
                "action = { id = 2, type = \"toggle\" }",
                "item = { done = false, id = 2, password = \"hunter2\" }",
                "state = { items = { { done = false, id = 1, password = \"hunter2\" }, { done = false, "
                    + "id = 2, password = \"hunter2\" } } }",
            ])
        #expect(try await client.variables("Changes") == [])
        check(try await client.go("next"), "step list.lua:26 apply.toggle of list")
        #expect(try await client.variables("Changes") == ["items[2].done = \"true  was false\""])
        check(try await client.value(of: "item.done"), "true")
        check(try await client.go("stepBack"), "step list.lua:25 apply.toggle of list")
        check(try await client.value(of: "item.done"), "false")
        check(try await client.go("continue"), "breakpoint list.lua:25 apply.toggle of list")
        check(try await client.value(of: "item.done"), "true")
        check(try await client.go("reverseContinue"), "breakpoint list.lua:25 apply.toggle of list")
        check(try await client.value(of: "item.done"), "false")
        check(
            try await client.go("reverseContinue"), "entry (the beginning) list.lua:6 state of list"
        )
        for _ in 0..<3 { _ = try await client.go("continue") }
        check(
            try await client.go("continue"),
            "end (the end of the recording) list.lua:45 render of list")
        #expect(try await client.go("next").hasPrefix("end"))
        check(try await client.go("reverseContinue"), "breakpoint list.lua:25 apply.toggle of list")
    }

    @Test func theStackGoesUpToWhatCameIn() async throws {
        let client = try await open(try await recorded(), "s.jsonl", [["line": 12]])
        let frames = try await client.frames.map {
            "\($0["name"]?.string ?? "") \($0["source"]?["name"]?.string ?? "-"):\($0["line"]?.int ?? 0)"
        }
        #expect(
            frames == [
                "find list.lua:12", "apply.toggle of list list.lua:24",
                "on_output of list list.lua:42",
                "apply.tap of list/item:2 item.lua:4", "step 3 of 6, tap -:0",
            ])
        #expect(
            try await client.variables("Locals", frame: 1).map { $0.prefix(6) } == [
                "action", "state ",
            ])
        check(try await client.go("stepOut"), "step list.lua:25 apply.toggle of list")
        let child = try await open(
            try await recorded(), "s.jsonl", [],
            before: [("setFunctionBreakpoints", ["breakpoints": [["name": "item:*/render"]]])])
        check(try await child.place, "function breakpoint item.lua:8 render of list/item:1")
        #expect(
            try await child.frames.map { $0["name"]?.string ?? "" } == [
                "render of list/item:1", "render of list", "step 1 of 6, add",
            ])
        #expect(try await child.go("stepOut").hasSuffix(" render of list"))
    }

    @Test func stepsOverAndIntoCalls() async throws {
        let client = try await open(try await recorded(), "s.jsonl", [["line": 24]])
        check(try await client.go("stepIn"), "step list.lua:10 find")
        check(try await client.go("stepIn"), "step list.lua:11 find")
        check(try await client.go("stepBack"), "step list.lua:10 find")
        check(try await client.go("stepBack"), "step list.lua:24 apply.toggle of list")
        check(try await client.go("next"), "step list.lua:25 apply.toggle of list")
        check(try await client.go("stepBack"), "step list.lua:24 apply.toggle of list")
        _ = try await client.go("next")
        let into: Value = ["threadId": 1, "granularity": "instruction"]
        check(try await client.go("stepBack", into), "step list.lua:12 find")
    }

    @Test func whatIsSeenBackwardsIsWhatWasSeenForwards() async throws {
        let client = try await open(try await recorded(), "s.jsonl", more: ["stopOnEntry": true])
        func seen() async throws -> String {
            let place = try await client.frames.map { "\($0["name"] ?? "")\($0["line"] ?? 0)" }
            return
                "\(place) \(try await client.variables("Locals")) \(try await client.variables("State"))"
        }
        let into: Value = ["threadId": 1, "granularity": "instruction"]
        var forwards = [try await seen()]
        for _ in 0..<60 {
            _ = try await client.go("stepIn", into)
            forwards.append(try await seen())
        }
        #expect(Set(forwards).count > 40)
        for expected in forwards.dropLast().reversed() {
            _ = try await client.go("stepBack", into)
            #expect(try await seen() == expected)
        }
    }

    @Test(
        arguments: [
            (["line": 25, "condition": "item.id == 1"], ["6"]),
            (["line": 25, "hitCondition": ">= 2"], ["5", "6"]),
            (["line": 25, "hitCondition": "% 2"], ["5"]),
            (["line": 20, "hitCondition": "3"], ["4"]),
            (["line": 26], ["3", "5", "6"]),
        ] as [(Value, [String])])
    func breakpointsHaveConditions(_ breakpoint: Value, _ steps: [String]) async throws {
        let client = try await open(try await recorded(), "s.jsonl", [breakpoint])
        var met: [String] = []
        while try await !client.place.hasPrefix("end") {
            let label = try await client.frames.last?["name"]?.string ?? ""
            met.append(String(label.dropFirst(5).prefix { $0 != " " }))
            _ = try await client.go("continue")
        }
        #expect(met == steps)
        var back: [String] = []
        while try await !client.go("reverseContinue").hasPrefix("entry") {
            let label = try await client.frames.last?["name"]?.string ?? ""
            back.append(String(label.dropFirst(5).prefix { $0 != " " }))
        }
        #expect(back == steps.reversed())
    }

    @Test func logPointsTellThePastAtOnce() async throws {
        let client = try await open(
            try await recorded(), "s.jsonl",
            [["line": 25, "logMessage": "{item.id} was {item.done}"]])
        let logged = client.all.filter { $0["event"] == "output" }.map {
            "\($0["body"]?["source"]?["name"]?.string ?? ""):\($0["body"]?["line"]?.int ?? 0) "
                + ($0["body"]?["output"]?.string ?? "")
        }
        #expect(
            logged == [
                "list.lua:25 2 was false\n", "list.lua:25 2 was true\n",
                "list.lua:25 1 was false\n",
            ])
        #expect(try await client.place.hasPrefix("end"))
    }

    @Test func whatFailsInThePastGivesNothingUp() async throws {
        let scene = try scene()
        _ = try await scene.run(
            "repl", "list.lua", "--record", "s.jsonl",
            input: "add\nadd\n.undo\ntoggle{ id = 9 }\n.redo\nrows[2].tap\n")
        let client = try await open(scene, "s.jsonl", [["line": 20]])
        for step in ["1", "2"] {
            let label = try await client.frames.last?["name"]?.string ?? ""
            #expect(label == "step \(step) of 3, add")
            _ = try await client.go("continue")
        }
        #expect(try await client.frames.last?["name"] == "step 3 of 3, tap")
        #expect(client.all.allSatisfy { !$0.json.contains("not as recorded") })
    }

    @Test func changesOfAStateAndOfTheRenderingStop() async throws {
        let client = try await open(try await recorded(), "s.jsonl", more: ["stopOnEntry": true])
        let info = try await client.ask("dataBreakpointInfo", ["name": "state.items[2].done"])
        let id = try #require(info["body"]?["dataId"])
        try await client.ask("setDataBreakpoints", ["breakpoints": [["dataId": id]]])
        check(
            try await client.go("continue"),
            "data breakpoint (nil → false) list.lua:21 apply.add of list")
        check(
            try await client.go("continue"),
            "data breakpoint (false → true) list.lua:25 apply.toggle of list")
        check(
            try await client.go("continue"),
            "data breakpoint (true → false) list.lua:25 apply.toggle of list")
        check(
            try await client.go("reverseContinue"),
            "data breakpoint (false → true) list.lua:25 apply.toggle of list")
        let shown = try await client.ask("dataBreakpointInfo", ["name": "rendering.count"])
        try await client.ask(
            "setDataBreakpoints", ["breakpoints": [["dataId": shown["body"]?["dataId"] ?? ""]]])
        check(
            try await client.go("reverseContinue"),
            "data breakpoint (1 → 2) list.lua:45 render of list")
    }

    @Test func aChangeIsShownInTheFunctionThatMadeIt() async throws {
        let scene = try Folder([
            "list.lua": """
            local function double(n)
                local twice = n * 2
                return twice
            end
            local Sum = { name = "sum", state = { total = 0, calls = 0 } }
            local function count(state, n)
                state.calls = state.calls + 1
                return double(n)
            end
            Sum.apply = {
                add = function(state)
                    state.total = state.total + count(state, 4)
                end,
            }
            function Sum.render(state) return { total = state.total } end
            return Sum
            """
        ])
        _ = try await scene.run("list.lua", "--record", "s.jsonl", input: "add\nadd\n")
        let client = try await open(scene, "s.jsonl", [["line": 3]])
        var ids: [Value] = []
        for name in ["state.total", "state.calls"] {
            let info = try await client.ask("dataBreakpointInfo", ["name": .string(name)])
            ids.append(["dataId": info["body"]?["dataId"] ?? ""])
        }
        try await client.ask("setDataBreakpoints", ["breakpoints": .list(of: ids)])
        var places = [try await client.go("reverseContinue")]
        for _ in 0..<5 { places.append(try await client.go("continue")) }
        #expect(
            places == [
                "data breakpoint (0 → 1) list.lua:7 count", "breakpoint list.lua:3 function",
                "data breakpoint (0 → 8) list.lua:12 apply.add of sum",
                "data breakpoint (1 → 2) list.lua:7 count", "breakpoint list.lua:3 function",
                "data breakpoint (8 → 16) list.lua:12 apply.add of sum",
            ])
        #expect(try await client.value(of: "state.total") == "8")
        var back: [String] = []
        for _ in 0..<5 { back.append(try await client.go("reverseContinue")) }
        #expect(back.reversed() == Array(places.prefix(5)))
        for _ in 0..<2 { _ = try await client.go("continue") }
        #expect(try await client.go("next") == "step list.lua:13 apply.add of sum")
    }

    @Test func aNodeMayHaveAnyKey() async throws {
        let scene = try Folder([
            "list.lua": """
            local Row = { name = "row", state = { n = 0 } }
            Row.apply = {
                up = function(state)
                    state.n = state.n + 1
                end,
            }
            function Row.render(state, context)
                return { n = state.n, up = context:sink("up") }
            end
            local List = { name = "list", state = {} }
            function List.render(_, context)
                return { row = context:render(Row, {}, { key = "50%|b" }) }
            end
            return List
            """
        ])
        _ = try await scene.run("list.lua", "--record", "s.jsonl", input: "row.up\nrow.up\n")
        let client = try await open(scene, "s.jsonl", [["line": 4]])
        let info = try await client.ask("dataBreakpointInfo", ["name": "state.n"])
        let id = try #require(info["body"]?["dataId"])
        try await client.ask(
            "setBreakpoints",
            ["source": ["path": .string(scene.path("list.lua"))], "breakpoints": []])
        try await client.ask("setDataBreakpoints", ["breakpoints": [["dataId": id]]])
        check(
            try await client.go("continue"),
            "data breakpoint (1 → 2) list.lua:4 apply.up of list/row:50%25|b")
    }

    @Test func failuresStop() async throws {
        let scene = try scene()
        let client = try await open(
            scene, "list.lua", more: ["actions": ["add"]],
            before: [("setExceptionBreakpoints", ["filters": ["failed"]])])
        let answer = try await client.ask(
            "evaluate", ["expression": "toggle{id=7}", "context": "repl"])
        #expect(answer["message"]?.string?.contains("no item 7") == true)
        check(try await client.place, "exception list.lua:15 find")
        let info = try await client.ask("exceptionInfo", ["threadId": 1])["body"]
        #expect(info?["details"]?["message"] == "no item 7")
        #expect(try await client.go("stepBack").hasSuffix(" find"))
        check(try await client.value(of: "id"), "7")
        try await client.ask("continue", ["threadId": 1])
        #expect(try await client.value(of: "rows[1].tap", context: "repl").contains("done = true"))
    }

    @Test func whatNeverEndsIsStoppedIn() async throws {
        let scene = try scene()
        let client = try await open(scene, "list.lua")
        try await client.ask(hurrying: "evaluate", ["expression": "spin", "context": "repl"])
        try await client.ask("pause")
        check(try await client.place, "pause list.lua:30 function")
        #expect(
            try await client.variables("Upvalues").first?.hasPrefix("state = { items = {}, n = ")
                == true)
        check(try await client.go("stepBack"), "step list.lua:30 function")
        try await client.ask("continue", ["threadId": 1])
        #expect(try await client.value(of: "add", context: "repl").contains("count = 1"))
    }

    @Test func editedCodeIsPlayedFromTheSameState() async throws {
        let scene = try await recorded()
        let client = try await open(scene, "s.jsonl", [["line": 25]])
        let path = scene.url.appendingPathComponent("list.lua")
        try Data(Self.list.replacing("not item.done", with: "not (").utf8).write(to: path)
        let refused = try await client.ask("restartFrame", ["frameId": 1])
        #expect(refused["success"] == false)
        #expect(refused["message"]?.string?.contains("list.lua:26") == true)
        check(try await client.place, "breakpoint list.lua:25 apply.toggle of list")
        try Data(Self.list.replacing("not item.done", with: "\"edited\"").utf8).write(to: path)
        check(
            try await client.go("restartFrame", ["frameId": 1]),
            "restart list.lua:24 apply.toggle of list")
        for _ in 0..<2 { _ = try await client.go("next") }
        check(try await client.value(of: "item.done"), "\"edited\"")
    }

    @Test func aFailedTestIsDebugged() async throws {
        let scene = try scene()
        try Data(
            """
            local List = require "list"
            it("adds", function()
                local list = workflow.test(List)
                list:send("add")
                list:send { type = "toggle", id = 1 }
                list:expect_rendering { count = 2 }
            end)
            """.utf8
        ).write(to: scene.url.appendingPathComponent("list_test.lua"))
        let client = try await open(scene, "list_test.lua", [["line": 25]])
        check(try await client.place, "breakpoint list.lua:25 apply.toggle of list")
        #expect(try await client.go("continue").hasPrefix("end"))
    }

    @Test func secretsAreSeenNowhere() async throws {
        let scene = try scene()
        let client = try await open(
            scene, "list.lua", [["line": 21], ["line": 20, "logMessage": "{state}"]],
            more: ["actions": ["add", "add"]], secrets: ["password"])
        check(try await client.place, "breakpoint list.lua:21 apply.add of list")
        for scope in ["Locals", "State", "Changes", "Upvalues", "Action", "Props"] {
            _ = try await client.variables(scope)
        }
        for expression in ["item", "item.password", "rendering", "state", "item.password .. ''"] {
            _ = try await client.value(of: expression)
        }
        _ = try await client.ask("completions", ["text": "item.", "column": 6])
        #expect(client.all.allSatisfy { !$0.json.contains("hunter2") })
    }

    @Test func theConsoleShowsAllValuesOfAnExpression() async throws {
        let client = try await open(try await recorded(), "s.jsonl", [["line": 25]])
        for (expression, values) in [
            ("1, 2", "1, 2"), ("= pcall(error, 'why')", "false, \"why\""),
            ("1, nil, 3", "1, nil, 3"), ("nil, nil", "nil, nil"), ("(1)", "1"),
        ] { #expect(try await client.value(of: expression, context: "repl") == values) }
    }

    @Test(
        arguments: [
            ("evaluate", ["expression": "nope.x"], "there is no 'nope' here"),
            ("evaluate", ["expression": "1 +"], "'1 +' is not an expression"),
            ("variables", ["variablesReference": 99], "There is no such variable"),
            ("stepSideways", [:], "'stepSideways' is not among the requests"),
            ("exceptionInfo", ["threadId": 1], "Nothing has failed here."),
            ("launch", ["program": "x.lua"], "There is a session already."),
        ] as [(String, Value, String)])
    func whatCannotBeIsRefusedInASentence(
        _ command: String, _ arguments: Value, _ message: String
    ) async throws {
        let client = try await open(try await recorded(), "s.jsonl", [["line": 25]])
        let answer = try await client.ask(command, arguments)
        #expect(answer["success"] == false)
        #expect(answer["message"]?.string?.contains(message) == true)
        check(try await client.go("next"), "step list.lua:26 apply.toggle of list")
    }

    @Test(
        arguments: [
            ([:], "launch needs a program"), (["program": "nope.lua"], "there is no file nope.lua"),
            (["program": "nope.jsonl"], "there is no file nope.jsonl"),
        ] as [(Value, String)])
    func whatCannotBeLaunchedIsRefused(_ arguments: Value, _ message: String) async throws {
        let client = try DebugClient()
        #expect(try await client.ask("next", ["threadId": 1])["success"] == false)
        let answer = try await client.ask("launch", arguments)
        #expect(answer["message"]?.string?.contains(message) == true)
    }

    @Test func aPageInABrowserIsNotAnswered() {
        var reader = DebugMessageReader()
        reader.add("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}".utf8)
        guard case .foreign? = reader.next() else {
            Issue.record("it was read")
            return
        }
    }

    @Test func theProgramSpeaksTheProtocol() async throws {
        let scene = try await recorded()
        func message(_ number: Int, _ command: String, _ arguments: Value = [:]) -> String {
            let body = Value.record([
                "seq": .int(number), "type": "request", "command": .string(command),
                "arguments": arguments,
            ]).json
            return "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let outcome = try await scene.run(
            "debug",
            input: message(1, "initialize", ["adapterID": "x"]) + "nonsense\r\n\r\n"
                + message(2, "launch", ["program": "s.jsonl", "stopOnEntry": true])
                + message(3, "configurationDone") + message(4, "stackTrace", ["threadId": 1])
                + message(5, "disconnect"))
        #expect(outcome.status == 0)
        #expect(outcome.stdout.contains(#""supportsStepBack":true"#))
        #expect(outcome.stdout.contains("a message has no Content-Length"))
        #expect(outcome.stdout.contains(#""name":"state of list""#))
        #expect(outcome.stdout.contains(#""event":"stopped""#))
    }
}
