import PlainValue
import TestSupport
import Testing
import WorkflowKit

@Suite struct LibraryCommandTests {
    private static let files = [
        "flow/flow.lua": """
        local inspect, shared = require "inspect", require "shared"
        return {
            name = "flow",
            state = { n = 0 },
            apply = { add = function(state) state.n = state.n + shared.step end },
            render = function(state) return { text = inspect(state.n) } end,
        }
        """,
        "flow/flow_test.lua": """
        it("adds", function()
            local flow = workflow.test(require "flow")
            flow:send "add"
            flow:expect_rendering { text = "<2>" }
        end)
        """,
        "flow/lua_modules/share/lua/5.4/inspect.lua": """
        made_here = 1
        return function(value) return "<" .. tostring(value) .. ">" end
        """, "common/shared/init.lua": "count = (count or 0) + 2 return { step = count }",
    ]

    @Test func aFlowRunsAndIsReplayedWithItsLibraries() async throws {
        let scene = try Folder(Self.files)
        let outcome = try await scene.run(
            "flow/flow.lua", "--lib", "common", "--record", "r.jsonl", input: "add\nadd\n")
        #expect(outcome.stderr == "")
        #expect(outcome.stdout.contains("text = \"<4>\""))
        #expect(outcome.status == 0)
        let replay = try await scene.run("replay", "r.jsonl", "--lib", "common")
        #expect(replay.status == 0)
        #expect(!replay.stderr.contains("have changed"))
        try scene.write("return { step = 3 }", to: "common/shared/init.lua")
        let changed = try await scene.run("replay", "r.jsonl", "--lib", "common")
        #expect(changed.status == 1)
        #expect(changed.stderr.contains("have changed"))
    }

    /// The time at which files are loaded is the session's start, however often they are.
    @Test func aFileThatAsksForTheTimeGetsTheStartOfTheSession() async throws {
        let flow = """
            local start = os.time()
            return {
                name = "flow",
                state = { n = 0 },
                apply = { go = function(state) state.n = os.time() - require "late" end },
                render = function(state) return { start = start, n = state.n } end,
            }
            """
        let scene = try Folder([
            "flow.lua": flow, "lua_modules/share/lua/5.4/late.lua": "return os.time()",
        ])
        let first = try await scene.run(
            "flow.lua", "--quiet", "--record", "r.jsonl", "--save", "s.json", input: "go\n")
        #expect(first.status == 0)
        let snapshot = try FlowSnapshot(json: Array(scene.text(of: "s.json").utf8))
        #expect(snapshot.document["began"]?.string != nil)
        #expect(try await scene.run("replay", "r.jsonl").status == 0)
        // A restored session began when the saved one did, whenever that was.
        guard case .record(var document) = snapshot.document else { return }
        document["began"] = "2001-09-09T01:46:40.000Z"
        try scene.write(Value.record(document).json, to: "s.json")
        let restored = try await scene.run("flow.lua", "--restore", "s.json", "--record", "q.jsonl")
        #expect(restored.stdout.contains("start = 1000000000"))
        #expect(try await scene.run("replay", "q.jsonl").status == 0)
    }

    @Test func testsFindThemToo() async throws {
        let outcome = try await Folder(Self.files).run("test", "flow", "--lib", "common")
        #expect(outcome.status == 0)
    }

    @Test func aFolderThatIsMissingIsSaid() async throws {
        let outcome = try await Folder(Self.files).run("flow/flow.lua", "--lib", "nowhere")
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("--lib takes a folder, and nowhere is none."))
        let without = try await Folder(Self.files).run("flow/flow.lua")
        #expect(without.status == 65)
        #expect(without.stderr.contains("there is no module 'shared'"))
    }

    @Test func checkLooksAtTheSyntaxOfLibrariesAlone() async throws {
        let scene = try Folder(Self.files)
        #expect(
            try await scene.run("check", "flow", "--lib", "common", "--no-luacheck").status == 0)
        try scene.write("return {", to: "flow/lua_modules/share/lua/5.4/other.lua")
        let outcome = try await scene.run("check", "flow", "--lib", "common", "--no-luacheck")
        #expect(outcome.status == 65)
        #expect(
            outcome.stdout.contains("flow/lua_modules/share/lua/5.4/other.lua:1: unexpected symbol")
        )
        #expect(outcome.stdout.split(separator: "\n").count == 1)
    }
}
