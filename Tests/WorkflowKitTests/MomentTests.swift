import PlainValue
import Testing
import TestSupport
import Workflow
@testable import WorkflowKit
import WorkflowLua

@Suite struct MomentTests {
    private static let flow = FlowSource.text(
        """
        local Row = { name = "row" }
        function Row.state(props) return { ups = 0, titles = { props.title } } end
        function Row.changed(old, new, state)
            if old.title ~= new.title then state.titles[#state.titles % 4 + 1] = new.title end
        end
        Row.apply = {
            up = function(state, action, context)
                state.ups = state.ups + context:random(1, 6)
                if state.ups % 5 == 0 then return { type = "drop", id = context.props.id } end
            end,
        }
        function Row.render(state, context)
            return { ups = state.ups, titles = state.titles, up = context:sink("up") }
        end

        local Flow = { name = "flow" }
        function Flow.state() return { ids = { 1, 2, 3 }, last = 3, title = 0 } end
        Flow.apply = {
            add = function(state)
                state.last = state.last + 1
                table.insert(state.ids, state.last % #state.ids + 1, state.last)
            end,
            drop = function(state, action)
                for index, id in ipairs(state.ids) do
                    if id == action.id then table.remove(state.ids, index) end
                end
                if #state.ids == 0 then state.ids[1] = 1 end
            end,
            turn = function(state) table.insert(state.ids, 1, table.remove(state.ids)) end,
            rename = function(state, action, context) state.title = context:random(1, 9) end,
            spoil = function(state) state.spoiled = true end,
            mend = function(state) state.spoiled = nil end,
        }
        function Flow.render(state, context)
            local rows = {}
            for index, id in ipairs(state.ids) do
                rows[index] = context:render(Row, { id = id, title = state.title }, {
                    key = id, on_output = function(output) return output end,
                })
            end
            if state.spoiled then error("spoiled") end
            return { rows = rows, last = state.last, title = state.title, note = context.props.note }
        end
        return Flow
        """, name: "flow.lua")

    private struct Shown: Equatable {
        let rendering: Value
        let root: FlowNode

        init(_ player: FlowPlayer, at step: Int) throws(FlowError) {
            (rendering, root) = try player.look(at: step)
        }
    }

    @Test(arguments: SeededNumbers.seeds(1...2)) func aLookShowsWhatWasShownThen(seed: UInt64)
        throws
    {
        var random = SeededNumbers(seed: seed)
        let player = FlowPlayer(options: FlowOptions(limits: .unhurried))
        try player.open(Self.flow)
        defer { player.close() }
        var shown = [try Shown(player, at: 0)]
        while shown.count <= 140 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: try? player.send(["type": "add"])
            case 2: try? player.send(["type": "turn"])
            case 3, 4: try? player.send(["type": "rename"])
            case 5:
                try? player.update(props: ["note": .int(Int.random(in: 0..<3, using: &random))])
            case 6 where Bool.random(using: &random): try? player.send(["type": "spoil"])
            case 7: try? player.send(["type": "mend"])
            default:
                let root = try player.look(at: player.step).root
                let row = try #require(root.children.randomElement(using: &random))
                try? player.send(["type": "up"], to: row.path)
            }
            // A failed action is not a step; an action whose rendering fails is.
            if shown.count <= player.step { shown.append(try Shown(player, at: player.step)) }
        }
        for _ in 0..<40 {
            let step = Int.random(in: 0...player.step, using: &random)
            #expect(try Shown(player, at: step) == shown[step], "step \(step)")
        }
    }
}
