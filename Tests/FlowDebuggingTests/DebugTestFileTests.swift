import PlainValue
import TestSupport
import Testing

@Suite struct DebugTestFileTests {
    private static let flow = """
        local List = { name = "list", state = { items = {} } }
        List.apply = {
            add = function(state)
                table.insert(state.items, { done = false })
            end,
            fail = function()
                error("as asked")
            end,
        }
        function List.render(state, context)
            return { count = #state.items, add = context:sink("add") }
        end
        return List
        """
    private static let test = """
        local List = require "list"
        local list
        local function twice(what)
            list:send(what)
            list:send(what)
        end
        describe("a list", function()
            before_each(function()
                list = workflow.test(List)
            end)
            it("grows", function()
                local wanted = { count = 3 }

                list:send("add")
                -- Two more.
                twice("add")
                list:expect_rendering(wanted)
            end)
            it("shrinks", function()
                local wanted = { count = 1 }
                list:send("add")
                list:undo()
                list:expect_rendering(wanted)
                list:send("add")
            end)
            it("fails", function()
                list:send("fail")
                expect(function()
                    list:expect_error("never")
                end):fails("not as expected")
                list:send("fail")
                list:expect_error("as asked")
            end)
        end)
        """

    private func open(
        _ test: String? = nil, _ breakpoints: [Value], before: [(String, Value)] = [],
        more: Value.Record = [:]
    ) async throws -> (DebugClient, Folder) {
        let scene = try Folder(["list.lua": Self.flow, "list_test.lua": Self.test])
        let client = try DebugClient()
        var arguments = more
        arguments["program"] = .string(scene.path("list_test.lua"))
        if let test { arguments["test"] = .string(test) }
        try await client.launch(
            .record(arguments), in: scene.path("list_test.lua"), breakpoints, before: before)
        return (client, scene)
    }

    private func output(_ client: DebugClient) -> [String] {
        client.all.filter { $0["event"] == "output" }.compactMap { $0["body"]?["output"]?.string }
    }

    @Test func aTestThatPassesIsStoppedInBeforeEachStep() async throws {
        let (client, scene) = try await open("grows", [["line": 14], ["line": 17]])
        defer { withExtendedLifetime(scene) {} }
        #expect(output(client) == ["the test 'a list grows' passed\n"])
        #expect(try await client.place == "breakpoint list_test.lua:14 a list grows")
        #expect(try await client.variables("Locals") == ["wanted = { count = 3 }"])
        #expect(try await client.value(of: "rendering.count") == "0")
        #expect(try await client.value(of: "list.rendering.count + wanted.count") == "3")
        let names = try await client.frames.map { $0["name"]?.string }
        #expect(names == ["a list grows", "the test, after step 0 of 3"])
        #expect(try await client.go("continue") == "breakpoint list_test.lua:17 a list grows")
        #expect(try await client.value(of: "list.state.items[3].done") == "false")
        #expect(try await client.value(of: "rendering.count == wanted.count") == "true")
        #expect(
            try await client.go("continue")
                == "end (the end: the test 'a list grows' passed) list_test.lua:18 a list grows")
        #expect(
            try await client.go("reverseContinue") == "breakpoint list_test.lua:17 a list grows")
        #expect(
            try await client.go("reverseContinue") == "breakpoint list_test.lua:14 a list grows")
        #expect(
            try await client.go("reverseContinue")
                == "entry (the beginning) list_test.lua:9 a list grows")
    }

    @Test func stepsPassOverWhatTheFlowDoesOrGoIntoIt() async throws {
        let (client, scene) = try await open("grows", [["line": 14]])
        defer { withExtendedLifetime(scene) {} }
        func walk(_ command: String, _ places: [String]) async throws {
            for place in places { #expect(try await client.go(command) == "step " + place) }
        }
        try await walk("next", [16, 17, 18].map { "list_test.lua:\($0) a list grows" })
        try await walk("stepBack", [17, 16, 14].map { "list_test.lua:\($0) a list grows" })
        try await walk(
            "stepIn",
            [
                "list.lua:4 apply.add of list", "list.lua:5 apply.add of list",
                "list.lua:11 render of list",
            ])
        // The line of the test that gave the step is beneath what the flow does for it.
        let frames = try await client.frames
        #expect(
            frames.map { "\($0["name"]?.string ?? "") \($0["line"]?.int ?? 0)" } == [
                "render of list 11", "a list grows 14", "step 1 of 3, add 0",
            ])
        #expect(frames[1]["source"]?["path"]?.string == scene.path("list_test.lua"))
        try await walk("stepOut", ["list_test.lua:16 a list grows"])
        try await walk("stepBack", ["list_test.lua:14 a list grows"])
        try await walk("next", ["list_test.lua:16 a list grows"])
        try await walk("stepIn", ["list_test.lua:4 twice"])
        #expect(try await client.frames.map { $0["line"]?.int } == [4, 16, 0])
        #expect(try await client.variables("Locals") == ["what = \"add\""])
        try await walk("next", ["list_test.lua:5 twice"])
        try await walk("stepOut", ["list_test.lua:17 a list grows"])
        try await walk("stepBack", ["list_test.lua:16 a list grows"])
    }

    @Test func anExpectationThatFailsIsStoppedAt() async throws {
        let (client, scene) = try await open(nil, [["line": 21], ["line": 23]])
        defer { withExtendedLifetime(scene) {} }
        let why = "the rendering is not as expected\n- count = 1\n+ count = 0"
        #expect(
            output(client) == ["the test 'a list shrinks' failed at list_test.lua:23: \(why)\n"])
        #expect(try await client.place == "breakpoint list_test.lua:21 a list shrinks")
        #expect(
            try await client.go("continue")
                == "breakpoint (\(why)) list_test.lua:23 a list shrinks")
        #expect(try await client.value(of: "rendering").hasPrefix("{ add = \"→ add\", count = 0"))
        let info = try await client.ask("exceptionInfo", ["threadId": 1])["body"]
        #expect(info?["exceptionId"] == "expectation")
        #expect(info?["details"]?["message"]?.string == why)
        #expect(try await client.go("stepBack") == "step list_test.lua:22 a list shrinks")
        #expect(try await client.go("continue").hasPrefix("breakpoint"))
        #expect(
            try await client.go("continue").hasPrefix("end (the end: the test 'a list shrinks' f"))
        #expect(
            try await client.go("reverseContinue") == "breakpoint list_test.lua:21 a list shrinks")
    }

    @Test func theFailureOfATestStops() async throws {
        let (client, scene) = try await open(
            nil, [], before: [("setExceptionBreakpoints", ["filters": ["failed"]])])
        defer { withExtendedLifetime(scene) {} }
        #expect(try await client.place == "exception list_test.lua:23 a list shrinks")
        #expect(try await client.go("continue").hasPrefix("end"))
        #expect(try await client.go("stepBack") == "step list_test.lua:22 a list shrinks")
        #expect(try await client.go("continue") == "exception list_test.lua:23 a list shrinks")
        // An action that is expected to fail does so before the next line of the test.
        let (other, files) = try await open(
            "fails", [["line": 29]], before: [("setExceptionBreakpoints", ["filters": ["failed"]])])
        defer { withExtendedLifetime(files) {} }
        #expect(try await other.place == "exception list.lua:7 apply.fail of list")
        #expect(try await other.go("continue") == "breakpoint list_test.lua:29 a list fails")
    }

    @Test func breakpointsHaveConditionsAndCountsAndLog() async throws {
        let (client, scene) = try await open(
            "grows",
            [
                ["line": 4, "condition": "list.rendering.count > 0 and #what == 3"],
                ["line": 5, "hitCondition": "2"], ["line": 14, "condition": "nope.x"],
                ["line": 17, "logMessage": "{list.rendering.count} of {wanted.count}"],
                ["line": 16, "condition": "(function() while true do end end)()"],
            ])
        defer { withExtendedLifetime(scene) {} }
        #expect(output(client).contains("3 of 3\n"))
        #expect(try await client.place.contains("the condition 'nope.x' cannot be evaluated"))
        #expect(try await client.go("continue").contains("did not end) list_test.lua:16"))
        #expect(try await client.go("continue") == "breakpoint list_test.lua:4 twice")
        #expect(try await client.go("continue").hasPrefix("end"))
        #expect(try await client.go("reverseContinue") == "breakpoint list_test.lua:4 twice")
        #expect(try await client.value(of: "what") == "\"add\"")
    }

    @Test func breakpointsMoveToWhatRunsOrSayWhyTheyAreNotVerified() async throws {
        let (client, scene) = try await open("grows", [])
        defer { withExtendedLifetime(scene) {} }
        func told(_ lines: [Int], in file: String) async throws -> [String] {
            let answer = try await client.ask(
                "setBreakpoints",
                [
                    "source": ["path": .string(file)],
                    "breakpoints": .list(of: lines.map { ["line": .int($0)] }),
                ])
            return (answer["body"]?["breakpoints"]?.list ?? []).map {
                $0["verified"] == true ? "\($0["line"]?.int ?? 0)" : $0["message"]?.string ?? "?"
            }
        }
        let isOther = "The test 'a list grows', which is debugged, does not run this line."
        let isLoaded =
            "This line runs when the file is loaded, before the first step: set it in a function."
        #expect(
            try await told([13, 15, 11, 21, 1, 99], in: scene.path("list_test.lua")) == [
                "14", "16", isOther, isOther, isLoaded, "There is no code in this line or below.",
            ])
        #expect(
            try await told([3], in: scene.path("other_test.lua"))
                == ["Only a test that is debugged itself is stopped in: launch it."])
    }

    @Test func aLineOfTheTestIsGoneTo() async throws {
        let (client, scene) = try await open("grows", [["line": 17]])
        defer { withExtendedLifetime(scene) {} }
        let targets = try await client.ask(
            "gotoTargets", ["source": ["path": .string(scene.path("list_test.lua"))], "line": 5])
        let labels = targets["body"]?["targets"]?.list?.map { $0["label"]?.string }
        #expect(labels == ["the test, after step 2"])
        #expect(
            try await client.go("goto", ["threadId": 1, "targetId": 1])
                == "goto list_test.lua:5 twice")
        #expect(try await client.value(of: "rendering.count") == "2")
        #expect(
            try await client.ask("restartFrame", ["frameId": 1])["message"]
                == "A test is played from its beginning: launch it again.")
    }

    @Test func secretsOfATestAreSeenNowhere() async throws {
        let scene = try Folder([
            "list.lua": Self.flow,
            "list_test.lua": """
            local List = require "list"
            it("is secret", function()
                local list = workflow.test(List)
                local password = "hunter2"
                list:send { type = "add", password = password }
                list:expect_state { items = { { password = password } } }
            end)
            """,
        ])
        let client = try DebugClient(secrets: ["password"])
        try await client.launch(
            ["program": .string(scene.path("list_test.lua"))], in: scene.path("list_test.lua"),
            [
                ["line": 6, "condition": "password == 'hunter2'"],
                ["line": 5, "logMessage": "{password}"],
            ])
        #expect(try await client.go("continue").hasPrefix("end"))
        for scope in ["Locals", "Upvalues"] { _ = try await client.variables(scope) }
        _ = try await client.value(of: "password")
        _ = try await client.value(of: "list")
        #expect(client.all.allSatisfy { !$0.json.contains("hunter2") })
    }
}
