import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowLua

/// The state is a value: it does not depend on references that a script keeps.
@Suite struct StateValueTests {
    /// The number of entries above which a table is large.
    static let largeCounts = [1000, 2]

    private func host(_ source: String, largeCount: Int) throws -> FlowHost {
        var options = LuaFlow.Options()
        options.limits.largeCount = largeCount
        return try FlowHost(source, options: options)
    }

    @Test(arguments: largeCounts) func aTableInTwoPlacesIsTwoTables(_ largeCount: Int) throws {
        let host = try host(
            """
            return {
                state = function() return { a = { x = 0 }, list = { { y = 0 }, { y = 0 }, { y = 0 } } } end,
                apply = {
                    link = function(s) s.b = s.a; s.list[3] = s.list[1]; s.c = { s.b } end,
                    add = function(s) s.a.x = s.a.x + 1; s.list[1].y = s.list[1].y + 1 end,
                    fail = function(s) s.a.x = 9 error "no" end,
                },
                render = function(s) return s end,
            }
            """, largeCount: largeCount)
        try host.send("link")
        try host.send("add")
        let once: Value = [
            "a": ["x": 1], "b": ["x": 0], "c": [["x": 0]], "list": [["y": 1], ["y": 0], ["y": 0]],
        ]
        #expect(host.rendering == once)
        try host.send("fail")
        #expect(host.rendering == once)
        try host.send("add")
        #expect(host.rendering["a"] == ["x": 2])
        #expect(host.rendering["b"] == ["x": 0])
        #expect(host.rendering["list"] == [["y": 2], ["y": 0], ["y": 0]])
    }

    @Test(arguments: largeCounts) func aTableOfTheScriptStaysTheScripts(_ largeCount: Int) throws {
        let host = try host(
            """
            local none = {}
            local held
            return {
                state = { errors = {}, rows = { 1, 2, 3 } },
                apply = {
                    reset = function(s) s.errors = none end,
                    wrong = function(s, action) s.errors[action.name] = true end,
                    hold = function(s) held = { n = 1 }; s.held = held end,
                    write = function() held.n = held.n + 1 end,
                    other = function(s) s.other = (s.other or 0) + 1 end,
                },
                render = function(s) return { s.errors, s.held or false } end,
            }
            """, largeCount: largeCount)
        try host.send("reset")
        try host.send(["type": "wrong", "name": "a"])
        #expect(host.rendering[0] == ["a": true])
        try host.send("reset")
        #expect(host.rendering[0] == [])
        try host.send("hold")
        try host.send("write")
        try host.send("other")
        #expect(host.rendering[1] == ["n": 1])
    }

    @Test(arguments: largeCounts)
    func nodesDoNotShareWhatTheirStateBeganWith(_ largeCount: Int) throws {
        let host = try host(
            """
            local initial = { n = 0, list = { 1, 2, 3 } }
            local row = {
                name = "row",
                state = function() return initial end,
                apply = { add = function(s) s.n = s.n + 1; s.list[4] = 4 end },
                render = function(s) return { s.n, #s.list } end,
            }
            return {
                name = "top", state = { count = 1 },
                apply = { more = function(s) s.count = s.count + 1 end },
                render = function(s, context)
                    local rows = {}
                    for i = 1, s.count do rows[i] = context:render(row, {}, { key = tostring(i) }) end
                    return rows
                end,
            }
            """, largeCount: largeCount)
        try host.send("add", to: "top/row:1")
        try host.send("more")
        #expect(host.rendering == [[1, 4], [0, 3]])
    }
}
