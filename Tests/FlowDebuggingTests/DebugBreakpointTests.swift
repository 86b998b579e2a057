import PlainValue
import TestSupport
import Testing

/// `debug`: what breakpoints say of themselves, and fields whose names are none of Lua.
@Suite struct DebugBreakpointTests {
    private static let flow = """
        local Item = { name = "item" }
        Item.apply = { tap = function() return "tapped" end }
        function Item.render(_, context)
            return { tap = context:sink("tap") }
        end

        local most, least = 9, 1
        local List = { name = "list" }
        function List.state()
            return { ["größe"] = 1, rows = { { ["a b"] = 1 } }, n = 0 }
        end
        List.apply = {
            add = function(state)
                state.n = state.n + 1
                state["größe"] = state["größe"] * 2
                state.rows[1]["a b"] = state.n
            end,
        }
        function List.render(state, context)
            local child = state.n > 0 and context:render(Item, {}) or nil
            return { ["größe"] = state["größe"], n = state.n, child = child }
        end
        return List
        """

    /// A session that stands at the first line of `add`.
    private func open() async throws -> (DebugClient, Folder) {
        let scene = try Folder(["list.lua": Self.flow])
        let client = try DebugClient()
        try await client.launch(
            ["program": .string(scene.path("list.lua")), "actions": ["add"]],
            in: scene.path("list.lua"), [["line": 14]])
        return (client, scene)
    }

    private func told(_ answer: Value) -> [String] {
        (answer["body"]?["breakpoints"]?.list ?? []).map {
            $0["verified"] == true ? "verified" : $0["message"]?.string ?? "?"
        }
    }

    @Test func aFunctionThatNoNodeHasIsNotVerified() async throws {
        let (client, _) = try await open()
        func names(_ names: String...) async throws -> [String] {
            let wanted = names.map { ["name": .string($0)] as Value }
            return told(
                try await client.ask(
                    "setFunctionBreakpoints", ["breakpoints": .list(Value.List(wanted))]))
        }
        #expect(
            try await names(
                "render", "apply.add", "apply.*", "list/a*", "item/apply.tap", "*/state")
                == Array(repeating: "verified", count: 6))
        #expect(
            try await names("rendr", "apply.remove", "row:*/render", "item/state", "on_output") == [
                "No node that was rendered so far has a function 'rendr'. Did you mean 'render'?",
                "No node that was rendered so far has a function 'apply.remove'; there are "
                    + "apply.add, apply.tap, render, state.", "No node 'row' was rendered so far.",
                "No node that was rendered so far has a function 'state'; there are apply.tap, render.",
                "verified",
            ])
    }

    @Test func aFunctionIsVerifiedWhenANodeIsRenderedThatHasIt() async throws {
        let scene = try Folder(["list.lua": Self.flow])
        let client = try DebugClient()
        try await client.launch(["program": .string(scene.path("list.lua"))])
        let answer = try await client.ask(
            "setFunctionBreakpoints", ["breakpoints": [["name": "item/render"]]])
        #expect(told(answer) == ["No node 'item' was rendered so far."])
        let id = answer["body"]?["breakpoints"]?[0]?["id"]
        _ = try await client.value(of: "add", context: "repl")
        let events = client.all.filter { $0["event"] == "breakpoint" }.map { $0["body"] }
        #expect(
            events == [["reason": "changed", "breakpoint": ["id": id ?? .null, "verified": true]]])
        #expect(try await client.place == "function breakpoint list.lua:4 render of list/item")
    }

    @Test func aConditionThatCannotBeEvaluatedStopsAndSaysWhy() async throws {
        let (client, scene) = try await open()
        let file: Value = ["path": .string(scene.path("list.lua"))]
        try await client.ask(
            "setBreakpoints",
            ["source": file, "breakpoints": [["line": 15, "condition": "nope.x == 1"]]])
        try await client.ask("setFunctionBreakpoints", ["breakpoints": []])
        let why =
            "the condition 'nope.x == 1' cannot be evaluated: "
            + "attempt to index a nil value (local 'nope')"
        #expect(
            try await client.go("continue") == "breakpoint (\(why)) list.lua:15 apply.add of list")
        let stopped = try #require(client.all.last { $0["event"] == "stopped" })["body"]
        #expect(stopped?["description"]?.string == "breakpoint: \(why)")
        let output = client.all.last { $0["event"] == "output" }?["body"]?["output"]?.string
        #expect(output == "list.lua:15: \(why)\n")
        // One that logs says it in place of its text.
        try await client.ask(
            "setBreakpoints",
            [
                "source": file,
                "breakpoints": [["line": 15, "condition": "nope.x == 1", "logMessage": "x"]],
            ])
        #expect(client.all.last?["body"]?["output"]?.string == "error: \(why)\n")
    }

    /// It is ended, and evaluated at no other hit.
    @Test(arguments: ["spin()", "(function() while true do pcall(error) end end)()"])
    func aConditionThatDoesNotEndStopsAndSaysSo(condition: String) async throws {
        let scene = try Folder([
            "list.lua": Self.flow.replacing(
                "local most", with: "local function spin() while true do end end local most"
            ).replacing("state.n = state.n + 1", with: "state.n = state.n + (spin and 1)")
        ])
        let client = try DebugClient()
        let file = scene.path("list.lua")
        try await client.launch(
            ["program": .string(file), "actions": ["add", "add", "add"]], in: file,
            [["line": 14, "condition": .string(condition)], ["line": 16]])
        let why = "the condition '\(condition)' cannot be evaluated: '\(condition)' did not end"
        for step in 1...3 {
            #expect(try await client.place == "breakpoint (\(why)) list.lua:14 apply.add of list")
            let output = client.all.last { $0["event"] == "output" }?["body"]?["output"]?.string
            #expect(output == "list.lua:14: \(why)\n")
            #expect(try await client.go("continue") == "breakpoint list.lua:16 apply.add of list")
            if step < 3 { try await client.ask("continue") }
        }
        #expect(
            try await client.go("reverseContinue")
                == "breakpoint (\(why)) list.lua:14 apply.add of list")
        #expect(
            try await client.go("reverseContinue") == "breakpoint list.lua:16 apply.add of list")
        // One that logs says it in place of its text, at each hit.
        let count = client.all.count
        try await client.ask(
            "setBreakpoints",
            [
                "source": ["path": .string(file)],
                "breakpoints": [["line": 16, "logMessage": .string("{\(condition)}")]],
            ])
        let texts = client.all.dropFirst(count).compactMap { $0["body"]?["output"]?.string }
        #expect(texts == Array(repeating: "error: '\(condition)' did not end\n", count: 3))
    }

    @Test func aLocalThatIsNotVisibleIsNotTakenForNil() async throws {
        let (client, scene) = try await open()
        // The flow is read from its file.
        defer { withExtendedLifetime(scene) {} }
        for (text, name) in [("most", "most"), ("state.n + least", "least"), ("child", "child")] {
            let said = try await client.value(of: text)
            #expect(
                said == "'\(name)' is not visible here: it is a local of another function, or one "
                    + "of list.lua that this function does not use.")
        }
        #expect(try await client.value(of: "nowhere") == "there is no 'nowhere' here")
        #expect(try await client.value(of: "state.nothing") == "nil")
    }

    @Test func fieldsOfAnyNameAreWatchedAndCompleted() async throws {
        let (client, _) = try await open()
        let frame = try await client.frames[0]["id"] ?? 1
        let scopes = try await client.ask("scopes", ["frameId": frame])["body"]?["scopes"]?.list
        let state = scopes?.first { $0["name"] == "State" }?["variablesReference"] ?? 0
        let info = try await client.ask(
            "dataBreakpointInfo", ["variablesReference": state, "name": "größe"])["body"]
        #expect(info?["description"] == #"state["größe"]"#)
        let inside = try await client.ask(
            "dataBreakpointInfo", ["name": #"state.rows[1]["a b"]"#])["body"]
        #expect(inside?["description"] == #"state.rows[1]["a b"]"#)
        let typed = try await client.ask("dataBreakpointInfo", ["name": "state.größe"])["body"]
        #expect(typed?["dataId"] == .null)
        #expect(typed?["description"] == #"This is written as state["größe"]."#)

        let targets =
            try await client.ask(
                "completions", ["text": "state.", "column": 7])["body"]?["targets"]?.list ?? []
        let replaced = targets.map { target in
            var text = Array("state.".utf16)
            let start = target["start"]?.int ?? 0
            let new = target["text"]?.string ?? target["label"]?.string ?? ""
            text.replaceSubrange(start..<start + (target["length"]?.int ?? 0), with: new.utf16)
            return String(decoding: text, as: UTF16.self)
        }
        #expect(replaced == [#"state["größe"]"#, "state.n", "state.rows"])

        try await client.ask(
            "setDataBreakpoints",
            ["breakpoints": [["dataId": info?["dataId"] ?? 0], ["dataId": inside?["dataId"] ?? 0]]])
        #expect(
            try await client.go("continue")
                == "data breakpoint (1 → 2) list.lua:15 apply.add of list")
        _ = try await client.go("next")
        #expect(try await client.variables("Changes").contains(#"["größe"] = "2  was 1""#))
    }
}
