import ClockPlugin
import FilePlugin
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The code of the recipes for programs that embed flows, line for line.
@Suite struct RecipeSnippets {
    private let todo = FlowSource.file(Repository.example("todo"))
    private let tea = FlowSource.file(Repository.path("Examples/tutorial/tea.lua"))

    private func listed() async throws -> FlowSession {
        let session = try await FlowSession.open(todo)
        for text in ["milk", "bread"] {
            try await session.send(["type": "add", "text": .string(text)])
        }
        return session
    }

    @Test func offersAreListed() async throws {
        let session = try await FlowSession.open(tea, options: FlowOptions(runsWorkers: false))
        guard case .record(let rendering) = await session.rendering else { return }
        for (name, value) in rendering {
            guard let sink = value["$sink"] else { continue }
            print(name, sink["action"] ?? .null)  // brew { type = "brew" }, and so on
        }
        let sinks = rendering.filter { $0.value["$sink"] != nil }.map(\.key)
        #expect(sinks == ["brew", "leave"])
    }

    @Test func nodesAreWalked() async throws {
        let session = try await listed()
        for node in await session.nodes()?.all ?? [] {
            print(node.path, node.props, node.state)
            for worker in node.workers where !worker.hasEnded { print("  runs", worker.name) }
        }
        #expect(await session.nodes()?.all.count == 3)
    }

    @Test func expressionsAreEvaluated() async throws {
        let session = try await listed()
        let count = try await session.value(of: "#rendering.rows")
        let isLong = try await session.value(
            of: "#rendering.rows > limit", where: [("limit", .int(10))])
        print(count, isLong)  // 2 false
        #expect(count == 2)
        #expect(isLong == false)
    }

    @Test func stepsAreCompared() async throws {
        let session = try await listed()
        let before = try await session.rendering(at: 1)
        for change in await before.differences(to: session.rendering) { print(change) }

        for (number, step) in try await session.steps().enumerated() {
            print(number + 1, step.input.title, step.changed)
        }
        #expect(try await session.steps().count == 2)
    }

    @Test func whoSentAnInputIsKept() async throws {
        let session = try await FlowSession.open(todo)
        let ada = Principal("ada", claims: ["role": "editor"])
        let action: Value = ["type": "add", "text": "milk"]
        if try await session.allows(ada, ["do": "send", "action": action]) {
            try await session.send(action, by: ada.name)
        }
        print(await session.inputs.last?.principal ?? "nobody")  // ada
        #expect(await session.inputs.last?.principal == "ada")
    }

    @Test func aCallIsInterrupted() async throws {
        let flow = FlowSource.text(
            """
            return {
                apply = { spin = function() while true do end end },
                render = function() return {} end,
            }
            """)
        var options = FlowOptions()
        options.limits.timeLimit = nil
        let session = try await FlowSession.open(flow, options: options)
        let work = Task { try await session.send("spin") }
        // A button of the program does this, from any thread.
        while !session.interrupt() { await Task.yield() }
        let result = await work.result
        print(result)  // failure, with the code interrupted
        let error = #expect(throws: FlowError.self) { try result.get() }
        #expect(error?.code == .interrupted)
    }

    @Test func anErrorIsShown() async throws {
        let session = try await FlowSession.open(tea, options: FlowOptions(runsWorkers: false))
        try await session.send("brew")
        do {
            try await session.send("brew")
        } catch {
            print("\(error.location?.file ?? ""):\(error.location?.line ?? 0): \(error.message)")
            for (offset, line) in (error.excerpt?.lines ?? []).enumerated() {
                print((error.excerpt?.firstLine ?? 0) + offset, line)
            }
            for local in error.locals { print("  \(local.name) = \(local.value)") }
            if let help = error.help { print("help:", help) }
        }
        let error = await #expect(throws: FlowError.self) { try await session.send("brew") }
        #expect(error?.locals.map(\.name) == ["state", "action"])
    }

    @Test func workersAreWaitedFor() async throws {
        let flow = FlowSource.text(
            """
            return {
                state = { isOver = false },
                apply = { over = function(state) state.isOver = true end },
                render = function(state, context)
                    if not state.isOver then
                        context:run("clock.after", { seconds = 0 }, { on_output = "over" })
                    end
                    return { isOver = state.isOver }
                end,
            }
            """)
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        let session = try await FlowSession.open(flow, options: options)
        await session.untilIdle()
        print(await session.rendering)  // { isOver = true }
        let abandoned = await session.close(within: .seconds(60))
        print(abandoned)  // the workers that did not end in time
        #expect(abandoned == [])
    }

    @Test func timeIsTheTests() async throws {
        let flow = FlowSource.text(
            """
            return {
                state = {},
                apply = { stamp = function(state, _, context) state.at = context.now end },
                render = function(state) return { at = state.at } end,
            }
            """)
        let options = FlowOptions(now: { 86_400_000 })
        let session = try await FlowSession.open(flow, options: options)
        try await session.send("stamp")
        print(await session.rendering)  // { at = 86400.0 }
        #expect(await session.rendering["at"]?.number == 86_400)
    }

    @Test func whatWorkersReachIsGrantedAndLogged() async throws {
        let folder = Repository.path("Examples")
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([FilePlugin.plugin])
        options.grants = Grants([try Grant(parsing: "file.read=todo")], folder: folder)
        options.grantAdvice = { access in "ask your administrator for \(access)" }
        options.onAccess = { [sessionName = options.sessionName] access in
            print(sessionName, access.worker, access.access, access.isGranted)
        }
        #expect(options.grants.all.map(\.description) == ["file.read=todo"])
    }

    @Test func linesOfThePastAreLogged() async throws {
        let session = try await listed()
        let point = LogPoint(file: "todo.lua", line: 25, text: "{action.text}")
        try await session.log([point], steps: 1...2) { hit in
            print(hit.step, (try? hit.content.get().text) ?? "")  // 1 milk, then 2 bread
        }
        var texts: [String?] = []
        try await session.log([point], steps: 0...2) { texts.append(try? $0.content.get().text) }
        #expect(texts == ["milk", "bread"])
    }

    @Test func aSessionIsForked() async throws {
        let session = try await listed()
        let fork = try await FlowSession.open(todo, restoring: session.snapshot())
        try await fork.send(["type": "add", "text": "eggs"])
        print(await fork.rendering["title"] ?? "", await session.rendering["title"] ?? "")
        #expect(await fork.rendering != session.rendering)
    }
}
