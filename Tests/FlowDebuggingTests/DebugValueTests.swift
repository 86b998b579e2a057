import PlainValue
import TestSupport
import Testing

@testable import FlowDebugging

@Suite(.timeLimit(.minutes(15))) struct DebugValueTests {
    private static let flow = """
        local M = { name = "values", state = { n = 0 } }
        M.apply = {
            go = function(state)
                local mixed = { 1, 2, a = 3 }
                local byid = { [17] = { name = "x" }, [-4] = { name = "y" } }
                local set = { [2.5] = true, [false] = true, [true] = "yes" }
                local big = {}
                for i = 1, 10000 do big[i] = i end
                local bytes = "\\xff\\xfe\\0end"
                local keyed = { ["\\xff"] = 1 }
                local key, half, flag = 17, 2.5, false
                local function inner(other)
                    return other + 1
                end
                state.n = inner(#big)
            end,
        }
        function M.render(state) return { n = state.n } end
        return M
        """

    private func stopped() async throws -> (DebugClient, Folder) {
        let scene = try Folder(["values.lua": Self.flow])
        let client = try DebugClient()
        try await client.launch(
            ["program": .string(scene.path("values.lua")), "actions": ["go"]],
            in: scene.path("values.lua"), [["line": 13]])
        return (client, scene)
    }

    @Test func theyAreReadWhereTheyLie() async throws {
        let (client, scene) = try await stopped()
        defer { withExtendedLifetime(scene) {} }
        #expect(try await client.value(of: "other") == "10000")
        // The function around it.
        let frames = try await client.ask("stackTrace", ["threadId": 1])["body"]?["stackFrames"]
        let frame = try #require(frames?.list?[1]["id"])
        for (text, value) in [
            ("mixed[1]", "1"), ("mixed.a", "3"), ("#mixed", "2"), ("mixed[3] == nil", "true"),
            ("byid[17].name", "\"x\""), ("byid[-4].name", "\"y\""), ("byid[key].name", "\"x\""),
            ("set[2.5]", "true"), ("set[half]", "true"), ("set[false]", "true"),
            ("set[flag]", "true"), ("set[true]", "\"yes\""), ("#big", "10000"),
            ("big[#big]", "10000"), ("#bytes", "6"), ("keyed == nil", "false"),
            ("byid[17] ~= nil and #big > 9999", "true"), ("state.n + #mixed", "2"),
        ] {
            let answer = try await client.ask(
                "evaluate", ["expression": .string(text), "context": "watch", "frameId": frame])
            #expect(answer["body"]?["result"]?.string == value, "\(text)")
        }
    }

    /// An expression that evades is ended, and the frame is as it was.
    @Test(arguments: [
        "pcall(function() while true do end end)",
        "coroutine.close(coroutine.create(function() while true do end end)) and spin()",
        "xpcall(error, spin)", "(('x'):rep(9)):gsub('.', spin)",
    ]) func anExpressionThatEvadesIsEnded(expression: String) async throws {
        let (client, scene) = try await stopped()
        defer { withExtendedLifetime(scene) {} }
        let place = try await client.place
        let spin = "(function(spin) return \(expression) end)(function() while true do end end)"
        let answer = try await client.ask(
            "evaluate", ["expression": .string(spin), "context": "watch"])
        #expect(answer["success"] == false, "\(answer)")
        #expect(try await client.value(of: "other") == "10000")
        #expect(try await client.place == place)
    }
}
