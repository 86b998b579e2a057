import Foundation
import PlainValue
import Testing
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowTesting

/// Counts; at three it tells the board.
nonisolated private let counting = """
    return {
        state = { count = 0 },
        apply = {
            add = function(state, action)
                state.count = state.count + (action.by or 1)
                if state.count == 3 then return { notice = "three" } end
            end,
            fail = function(state)
                state.count = 100
                error("no")
            end,
            loop = function() while true do end end,
            fill = function()
                local texts = {}
                for i = 1, 1e7 do texts[i] = ("x"):rep(1000) .. i end
            end,
            spoil = function(state) state.spoilt = true end,
        },
        render = function(state, context)
            if state.spoilt then error("spoilt") end
            return { user = context.props.user, count = state.count, add = context:sink("add") }
        end,
    }
    """

/// Renders itself below itself, without end.
nonisolated private let deep = """
    local Deep = {}
    function Deep.render(_, context)
        return context:render(Deep, context.props)
    end
    return Deep
    """

@Suite(.timeLimit(.minutes(1))) nonisolated struct BoardTests {
    private let folder = NSTemporaryDirectory() + "board-\(UUID())"
    private let options: FlowOptions

    init() throws {
        options = try boardOptions(user: "Ada", widgets: ["count"], folder: folder)
    }

    private func open(_ widget: String = counting) async throws -> FlowSession {
        try await openBoard(["count": widget], options: options)
    }

    @Test func propsGoDownAndOutputsComeUp() async throws {
        let session = try await openBoard(["count": counting], options: options)
        let sink = await session.rendering["widgets"]?["count"]?["add"]
        try await session.send(sink: try #require(sink), with: ["by": 3])
        #expect(await session.rendering["widgets"]?["count"]?["user"] == "Ada")
        #expect(await session.rendering["notices"] == ["three"])
        #expect(await session.takeOutputs() == [["notice": "three"]])
        try await session.send(sink: try #require(await session.rendering["clear"]))
        #expect(await session.rendering["notices"] == [])
        try await session.update(props: ["user": "Grace", "widgets": ["count"]])
        #expect(await session.rendering["widgets"]?["count"]?["user"] == "Grace")
        #expect(await session.rendering["widgets"]?["count"]?["count"] == 3)
    }

    @Test func aValueIsReadByItsCase() {
        let value: Value = ["name": "tea", "minutes": 3, "steps": [1, 2.5], "cup": nil]
        switch value {
        case .record(let fields): print(fields.count)
        case .list, .string, .int, .double, .bool, .null: break
        }
        #expect(value["name"]?.string == "tea")
        #expect(value["minutes"]?.int == 3)
        #expect(value["steps"]?[1]?.number == 2.5)
        #expect(value["cup"] == .null)
        #expect(value["milk"] == nil)
        #expect(value["minutes"] != 3.0)
    }

    @Test(arguments: [
        ("fail", FlowError.Code.lua), ("loop", .instructionLimit), ("fill", .memoryLimit),
    ])
    func anActionThatFailsChangesNothing(_ action: String, _ code: FlowError.Code) async throws {
        let session = try await open()
        let before = await session.rendering
        do {
            try await session.send(.string(action), to: "host/Board/count:count")
            Issue.record("\(action) must fail")
        } catch {
            print(error.code, error.message, error.location?.file ?? "", error.location?.line ?? 0)
            #expect(error.code == code)
            #expect(error.location?.file == "count.lua")
            #expect(error.node == "host/Board/count:count")
        }
        #expect(await session.rendering == before)
        #expect(await session.step == 0)
    }

    @Test func aLoopEndsAtTheTimeLimit() async throws {
        var options = options
        options.limits.instructionLimit = nil
        options.limits.timeLimit = .seconds(1)
        let session = try await openBoard(["count": counting], options: options)
        let error = await #expect(throws: FlowError.self) {
            try await session.send("loop", to: "host/Board/count:count")
        }
        #expect(error?.code == .timeLimit)
    }

    @Test func theRendersOfAPassShareTheirLimits() async throws {
        let busy = "return { render = function() for i = 1, 600000 do end return {} end }"
        func open(_ names: [String]) async throws {
            let options = try boardOptions(user: "Ada", widgets: names, folder: folder)
            _ = try await openBoard(["a": busy, "b": busy], options: options)
        }
        try await open(["a"])
        try await open(["b"])
        let error = await #expect(throws: FlowError.self) { try await open(["a", "b"]) }
        #expect(error?.code == .instructionLimit)
        #expect(error?.node == "host/Board/b:b")
    }

    @Test func nodesNestToTheLimit() async {
        let error = await #expect(throws: FlowError.self) { try await open(deep) }
        #expect(error?.code == .depth)
    }

    @Test func aScriptThatDoesNotLoadSpoilsOnlyItsPlace() async throws {
        let session = try await openBoard(
            ["count": counting, "broken": "return {"],
            options: boardOptions(user: "Ada", widgets: ["broken", "count"], folder: folder))
        let widgets = await session.rendering["widgets"]
        #expect(widgets?["broken"] == ["error": "broken.lua:1: unexpected symbol near <eof>"])
        #expect(widgets?["count"]?["count"] == 0)
    }

    @Test func aRenderThatFailsKeepsTheLastRenderingUntilItIsUndone() async throws {
        let session = try await open()
        let before = await session.rendering
        do {
            try await session.send("spoil", to: "host/Board/count:count")
            Issue.record("the render must fail")
        } catch {
            if error.phase == .render { try await session.undo() }
        }
        #expect(await session.rendering == before)
        try await session.send("add", to: "host/Board/count:count")
        #expect(await session.rendering["widgets"]?["count"]?["count"] == 1)

        // A widget that new props leave out no longer fails, and one that is back begins anew.
        await #expect(throws: FlowError.self) {
            try await session.send("spoil", to: "host/Board/count:count")
        }
        let error = await #expect(throws: FlowError.self) {
            try await session.send("add", to: "host/Board/count:count")
        }
        #expect(error?.node == "host/Board/count:count")
        try await session.update(props: ["user": "Ada", "widgets": []])
        try await session.update(props: ["user": "Ada", "widgets": ["count"]])
        #expect(await session.rendering == before)
    }

    @Test func aWidgetWhoseFirstRenderFailsKeepsTheSessionFromOpening() async {
        let error = await #expect(throws: FlowError.self) {
            try await open("return { render = function() error('no') end }")
        }
        #expect(error?.node == "host/Board/count:count")
    }

    @Test func aWidgetWaits() async throws {
        let session = try await open(
            """
            return {
                state = { rang = false },
                apply = { ring = function(state) state.rang = true end },
                render = function(state, context)
                    if not state.rang then
                        context:run("clock.after", { seconds = 0.001 }, { on_output = "ring" })
                    end
                    return { rang = state.rang }
                end,
            }
            """)
        for await rendering in await session.renderings {
            if rendering["widgets"]?["count"]?["rang"] == true { break }
        }
        await session.close()
    }

    @Test func aWidgetReadsWhatIsGranted() async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "milk".write(toFile: folder + "/list", atomically: true, encoding: .utf8)
        func reading(_ path: String) -> String {
            """
            return {
                state = {},
                apply = { read = function(state, action) state.text = action.output.content end },
                render = function(state, context)
                    if not state.text then
                        context:run("file.read", { path = "\(path)" }, { on_output = "read" })
                    end
                    return { text = state.text }
                end,
            }
            """
        }
        let session = try await open(reading("list"))
        for await rendering in await session.renderings {
            if rendering["widgets"]?["count"]?["text"] == "milk" { break }
        }
        await session.close()
        let error = await #expect(throws: FlowError.self) { try await open(reading("/etc/passwd")) }
        #expect(error?.code == .notGranted)
        let unknown = await #expect(throws: FlowError.self) {
            try await open("return { render = function(_, c) c:run('tea.brew', {}) end }")
        }
        #expect(unknown?.code == .unknownWorker)
    }

    @Test func aSnapshotHasNativeAndScriptedStates() async throws {
        let session = try await open()
        try await session.send(["type": "add", "by": 3], to: "host/Board/count:count")
        let text = try await session.snapshot().json
        await session.close()

        let snapshot = try FlowSnapshot(json: text.utf8)
        let later = try await openBoard(
            ["count": counting], options: options, restoring: snapshot)
        #expect(await later.rendering["notices"] == ["three"])
        #expect(await later.rendering["widgets"]?["count"]?["count"] == 3)
        let error = await #expect(throws: FlowError.self) {
            try await openBoard(
                ["count": "local n = 1\n" + counting], options: options, restoring: snapshot)
        }
        #expect(error?.code == .snapshot)
    }

    #if os(Linux)
        @Test func widgetsRunInAProcessOfTheirOwn() async throws {
            var options = options
            options.isolation = .process
            let session = try await openBoard(["count": counting], options: options)
            try await session.send(["type": "add", "by": 3], to: "host/Board/count:count")
            #expect(await session.rendering["notices"] == ["three"])
            await session.close()
        }
    #endif
}
