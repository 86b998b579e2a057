import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// A child requested exactly like the previous one is reused uncompared, which must not be visible.
struct KeptChildrenTests {
    private static let rows = """
        local Row = {
            name = "row",
            state = function(props) return { count = 0 } end,
            apply = {
                inc = function(state) state.count = state.count + 1 end,
                tell = function(state, action) return action.what end,
                fail = function(state) state.count = "none" end,
            },
            render = function(state, context)
                return { id = context.props.id, count = state.count + 0 }
            end,
        }
        """

    /// A list with rows in the state: each has a key, a value for props, and a receiver of outputs.
    private static let list = """
        \(rows)
        return {
            name = "list",
            state = { rows = {}, heard = {} },
            apply = {
                set = function(state, action) state.rows = action.rows end,
                first = function(state, action) state.heard[#state.heard + 1] = "first " .. action.output end,
                second = function(state, action) state.heard[#state.heard + 1] = "second " .. action.output end,
            },
            render = function(state, context)
                local shown = {}
                for i, row in ipairs(state.rows) do
                    shown[i] = context:render(Row, { id = row.id, more = { row.id } }, { key = row.key, on_output = row.to })
                end
                return { shown = shown, heard = state.heard }
            end,
        }
        """

    private struct Row {
        var key: Int
        var id: Int
        var to: String?
        var count = 0

        var asked: Value {
            var row: Value.Record = ["key": .int(key), "id": .int(id)]
            if let to { row["to"] = .string(to) }
            return .record(row)
        }

        var shown: Value { ["id": .int(id), "count": .int(count)] }
    }

    @Test(arguments: SeededNumbers.seeds(0...7))
    func whateverChangesTheListShowsWhatWasAskedFor(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed &* 977 &+ 1)
        let host = try FlowHost(Self.list)
        var rows: [Row] = []
        var heard: [Value] = []
        var nextKey = 0
        for _ in 0..<120 {
            let place = rows.isEmpty ? 0 : Int.random(in: 0..<rows.count, using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                nextKey += 1
                let row = Row(
                    key: nextKey, id: nextKey,
                    to: [nil, "first", "second"].randomElement(using: &random) ?? nil)
                rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
            case 2 where !rows.isEmpty: rows.remove(at: place)
            case 3: rows.shuffle(using: &random)
            case 4 where !rows.isEmpty: rows[place].id += 100
            case 5 where !rows.isEmpty:
                rows[place].to = rows[place].to == "first" ? "second" : "first"
            case 6 where !rows.isEmpty:
                rows[place].count += 1
                try host.send("inc", to: "list/row:\(rows[place].key)")
            case 7 where !rows.isEmpty:
                let row = rows[place]
                try host.send(["type": "tell", "what": .int(row.id)], to: "list/row:\(row.key)")
                if let to = row.to { heard.append(.string("\(to) \(row.id)")) }
            default: break
            }
            try host.send(["type": "set", "rows": .list(Value.List(rows.map(\.asked)))])
            #expect(host.rendering["shown"] == .list(Value.List(rows.map(\.shown))))
            #expect(host.rendering["heard"] == .list(Value.List(heard)))
            #expect(host.errors.isEmpty)
        }
    }

    @Test func aChildThatIsRenderedTwiceIsAnErrorAlsoWhenTheFirstWasKept() throws {
        let host = try FlowHost(
            """
            \(Self.rows)
            return {
                name = "list", state = { twice = false },
                apply = { twice = function(state, action) state.twice = action.on end },
                render = function(state, context)
                    local one = context:render(Row, { id = 1 }, { key = "a" })
                    local two = context:render(Row, { id = 2 }, { key = state.twice and "a" or "b" })
                    return { one, two }
                end,
            }
            """)
        try host.send(["type": "twice", "on": true])
        let error = try #require(host.errors.first)
        #expect(error.message == "two children 'row' with the key 'a' in one render")
        #expect(error.location == FlowError.Location(file: "flow.lua", line: 18))
        #expect(error.notes == ["the first is at flow.lua:17"])
        try host.send(["type": "twice", "on": false])
        #expect(host.rendering == [["id": 1, "count": 0], ["id": 2, "count": 0]])
    }

    @Test func aChildThatFailedIsAskedAgain() throws {
        let host = try FlowHost(
            """
            \(Self.rows)
            return {
                name = "list", state = {},
                render = function(state, context)
                    return { context:render(Row, { id = 1 }), context:render(Row, { id = 2 }, { key = "b" }) }
                end,
            }
            """)
        let good: Value = [["id": 1, "count": 0], ["id": 2, "count": 0]]
        #expect(host.rendering == good)
        try host.send("fail", to: "list/row:b")
        #expect(host.errors.count == 1)
        #expect(host.rendering == good)
        try host.send("inc", to: "list/row")
        // The failing row fails this pass too.
        #expect(host.errors.count == 2)
        #expect(host.rendering == good)
    }

    @Test func emptyListsAndEmptyRecordsAreDifferentProps() throws {
        let host = try FlowHost(
            """
            local workflow = require "workflow"
            local Child = { name = "child", render = function(state, context) return { context.props.a } end }
            return {
                name = "list", state = { step = 1 },
                apply = { next = function(state) state.step = state.step + 1 end },
                render = function(state, context)
                    local values = { {}, workflow.record(), 1, 1.0, "1", true, false, workflow.null, { 1 }, { a = 1 }, {} }
                    return context:render(Child, { a = values[state.step] })
                end,
            }
            """)
        var shown: [Value] = [host.rendering]
        for _ in 0..<10 {
            try host.send("next")
            shown.append(host.rendering)
        }
        #expect(host.errors.isEmpty)
        #expect(
            shown == [
                [[]], [[:]], [1], [1.0], ["1"], [true], [false], [nil], [[1]], [["a": 1]], [[]],
            ])
    }

    @Test func aNativeNameAndADefinitionsNameMayNotBeOneChild() throws {
        var options = LuaFlow.Options()
        options.nativeWorkflows.register("row", props: [String: Int].self) { _ in Fixed() }
        let host = try FlowHost(
            """
            \(Self.rows)
            return {
                name = "list", state = { both = false },
                apply = { both = function(state) state.both = true end },
                render = function(state, context)
                    local scripted = context:render(Row, { id = 1 })
                    if state.both then return { scripted, context:render("row", {}) } end
                    return { scripted }
                end,
            }
            """, options: options)
        #expect(host.rendering == [["id": 1, "count": 0]])
        try host.send("both")
        let error = try #require(host.errors.first)
        #expect(error.message == "two children 'row' without a key in one render")
        #expect(error.notes == ["the first is at flow.lua:17"])
    }

    @Test func aRenderThatChangesItsPropsTableIsNotMisled() throws {
        let host = try FlowHost(
            """
            \(Self.rows)
            local shared = { id = 1 }
            return {
                name = "list", state = { id = 1 },
                apply = { id = function(state, action) state.id = action.id end },
                render = function(state, context)
                    shared.id = state.id
                    return context:render(Row, shared)
                end,
            }
            """)
        #expect(host.rendering["id"] == 1)
        try host.send(["type": "id", "id": 2])
        #expect(host.rendering["id"] == 2)
    }
}

private struct Fixed: Workflow {
    func render(state: Void, context: RenderContext<Fixed>) -> Int { 1 }
}
