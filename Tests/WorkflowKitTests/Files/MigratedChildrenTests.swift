import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// Snapshots whose migrated state leads to other children than the state from before.
@Suite struct MigratedChildrenTests {
    private static func flow(
        _ version: Int, migrate: String = "nil", tab: String = "a", named: Bool = true
    ) -> FlowSource {
        .text(
            """
            local Row = {
                name = "row",
                state = { taps = 0 },
                apply = { tap = function(state) state.taps = state.taps + 1 end },
                render = function(state, context)
                    return { taps = state.taps, tap = context:sink "tap" }
                end,
            }
            local function tab(title)
                return {
                    name = \(named ? "title" : "nil"),
                    state = { title = title },
                    render = function(state, context)
                        return { title = state.title, row = context:render(Row) }
                    end,
                }
            end
            local A, B = tab "a", tab "b"
            return {
                name = "root", version = \(version), migrate = \(migrate),
                state = { tab = "\(tab)", kept = 1 },
                render = function(state, context)
                    return {
                        kept = state.kept, row = context:render(Row, {}, { key = "always" }),
                        tab = context:render(state.tab == "a" and A or B),
                    }
                end,
            }
            """, name: "root.lua")
    }

    private static let toB = "function(state) state.tab = \"b\" return state end"

    private func snapshot(named: Bool = true) async throws -> FlowSnapshot {
        let session = try await FlowSession.open(Self.flow(1, named: named))
        try await session.send(["type": "tap"], to: "root/row:always")
        let tab = named ? "a" : "root"
        try await session.send(["type": "tap"], to: "root/\(tab)/row")
        let json = try await session.snapshot().json
        await session.close()
        return try FlowSnapshot(json: json.utf8)
    }

    @Test(arguments: [true, false])
    func childrenEndAndBeginAsTheMigratedStateSays(named: Bool) async throws {
        let restored = try await FlowSession.open(
            Self.flow(2, migrate: Self.toB, named: named), restoring: snapshot(named: named))
        let rendering = await restored.rendering
        #expect(rendering["tab"]?["title"] == "b")
        #expect(rendering["tab"]?["row"]?["taps"] == 0)
        #expect(rendering["row"]?["taps"] == 1)
        let again = try await restored.snapshot()
        await restored.close()
        let session = try await FlowSession.open(
            Self.flow(2, migrate: Self.toB, named: named), restoring: again)
        #expect(await session.rendering == rendering)
        await session.close()
    }

    @Test func inputsAreReplayedAfterIt() async throws {
        let inputs = [
            FlowInput(.action(["type": "tap"], node: "root/b/row"), milliseconds: 1_800_000_000_000)
        ]
        let restored = try await FlowSession.open(
            Self.flow(2, migrate: Self.toB), restoring: snapshot(), replaying: inputs)
        #expect(await restored.rendering["tab"]?["row"]?["taps"] == 1)
        await restored.close()
    }

    @Test func withoutAMigrateItIsAMisfit() async throws {
        let swapped = Self.flow(1, tab: "b")
        let other = try await FlowSession.open(swapped)
        let fromB = try await other.snapshot()
        await other.close()
        // The same version, whose render picks the other child.
        let text = """
            return {
                name = "root", state = {},
                render = function(_, context)
                    return context:render({ name = "c", state = {}, render = function() return 1 end })
                end,
            }
            """
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(.text(text, name: "root.lua"), restoring: fromB)
        }
        #expect(error?.code == .snapshot)
        #expect(error?.notes.contains("root/c is new, and has no state in it") == true)
        #expect(error?.help?.contains("give the flow a higher version and a migrate") == true)
    }

    @Test func aMigrateThatFailsIsAMisfitThatDoesNotAskForOne() async throws {
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(
                Self.flow(2, migrate: "function() error(\"no\") end"), restoring: snapshot())
        }
        #expect(error?.notes.first?.hasPrefix("root cannot go on: ") == true)
        #expect(error?.help == "go on with what fits by FlowSnapshot.isLenient")
    }
}
