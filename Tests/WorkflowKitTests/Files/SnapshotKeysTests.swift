import PlainValue
import Testing
import Workflow
import WorkflowKit

@Suite struct SnapshotKeysTests {
    @Test(arguments: [
        ["\u{e9}", "e\u{301}"], ["a\u{301}\u{323}", "a\u{323}\u{301}"], ["\u{301}", "\u{323}"],
    ]) func nodesWhoseKeysReadTheSameKeepTheirStates(_ keys: [String]) async throws {
        let source = FlowSource.text(
            """
            local Item = {
                name = "item", state = { n = 0 },
                apply = { add = function(state) state.n = state.n + 1 end },
                render = function(state) return state.n end,
            }
            return {
                name = "list",
                render = function(_, context)
                    return {
                        context:render(Item, {}, { key = "\(keys[0])" }),
                        context:render(Item, {}, { key = "\(keys[1])" }),
                    }
                end,
            }
            """, name: "list.lua")
        let session = try await FlowSession.open(source)
        try await session.send("add", to: "list/item:\(keys[1])")
        #expect(await session.rendering == [0, 1])
        let text = try await session.snapshot().json
        let restored = try await FlowSession.open(
            source, restoring: try FlowSnapshot(json: text.utf8))
        #expect(await restored.rendering == [0, 1])
    }
}
