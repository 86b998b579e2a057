import Foundation
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct ReplayedReloadTests {
    private let folder: Folder
    private let events = EventRecorder()

    init() throws { folder = try Folder() }

    private var file: String { folder.path("flow.lua") }
    private func write(_ text: String) throws { try folder.write(text, to: "flow.lua") }

    private func source(by factor: Int = 1, _ more: String = "") -> String {
        """
        return {
            name = "sum",
            state = { sum = 0, luck = 0 },
            apply = {
                add = function(state, action) state.sum = state.sum + action.n * \(factor) \(more) end,
                roll = function(state, action, context) state.luck = context:random(1, 1000000) end,
            },
            render = function(state, context) return { sum = state.sum, luck = state.luck, title = context.props.title } end,
        }
        """
    }

    private func open() async throws -> FlowSession {
        try write(source())
        return try await FlowSession.open(
            .file(file), options: FlowOptions(props: ["title": "a"]), onEvent: events.note)
    }

    private func add(_ n: Int, in session: FlowSession) async throws {
        try await session.send(["type": "add", "n": .int(n)])
    }

    @Test func whatTheNewCodeMakesOfTheInputsIsShown() async throws {
        let session = try await open()
        try await add(1, in: session)
        try await session.send("roll")
        try await session.update(props: ["title": "b"])
        try await add(2, in: session)
        let luck = await session.rendering["luck"]
        try write(source(by: 10))
        try await session.reload(.replayingInputs)
        #expect(await session.rendering == ["sum": 30, "luck": luck ?? .null, "title": "b"])
        #expect(await session.stepCount == 4)
        #expect(events.types.suffix(2) == ["reloaded", "rendering"])
        #expect(events.errors.isEmpty)
        // Earlier steps belong to the new code too, and time continues from here.
        try await session.go(to: 1)
        #expect(await session.rendering["sum"] == 10)
        #expect(await session.rendering["title"] == "a")
        try await session.go(to: 4)
        try await add(3, in: session)
        #expect(await session.rendering["sum"] == 60)
        #expect(await session.stepCount == 5)
    }

    @Test func inputsThatTheNewCodeRefusesStayForTheNextTime() async throws {
        let session = try await open()
        for n in 1...3 { try await add(n, in: session) }
        try write(source(by: 1, "assert(action.n ~= 2, 'no twos')"))
        try await session.reload(.replayingInputs)
        #expect(await session.rendering["sum"] == 4)
        #expect(await session.stepCount == 3)
        let warnings = events.all.compactMap { event in
            if case .log(.warning, let message, _) = event.kind { message } else { nil }
        }
        #expect(warnings == ["input 2, add, changes nothing now: no twos"])
        try write(source(by: 2))
        try await session.reload(.replayingInputs)
        #expect(await session.rendering["sum"] == 12)
    }

    @Test func manyInputsThatTheNewCodeRefusesAreCounted() async throws {
        let session = try await open()
        for n in 1...23 { try await add(n, in: session) }
        try write(source(by: 1, "error('nothing')"))
        try await session.reload(.replayingInputs)
        let warnings = events.all.compactMap { event in
            if case .log(.warning, let message, _) = event.kind { message } else { nil }
        }
        #expect(
            warnings == (1...20).map { "input \($0), add, changes nothing now: nothing" } + [
                "3 more inputs change nothing now"
            ])
    }

    @Test(arguments: ["return {", "error('no')", "return { render = function() error('no') end }"])
    func badCodeLeavesAllAsItWas(_ bad: String) async throws {
        let session = try await open()
        try await add(1, in: session)
        try await session.send("roll")
        let before = await session.rendering
        try write(bad)
        await #expect(throws: FlowError.self) { try await session.reload(.replayingInputs) }
        #expect(await session.rendering == before)
        try await add(2, in: session)
        #expect(await session.rendering["sum"] == 3)
        try await session.send("roll")
        let other = try await FlowSession.open(
            .text(source(), name: "sum.lua"), options: FlowOptions(props: ["title": "a"]))
        for _ in 1...2 { try await other.send("roll") }
        #expect(await session.rendering["luck"] == other.rendering["luck"])
    }

    @Test func theStepOfThePastThatIsShownStaysSo() async throws {
        let session = try await open()
        for n in 1...3 { try await add(n, in: session) }
        try await session.go(to: 1)
        try write(source(by: 10))
        try await session.reload(.replayingInputs)
        #expect(await session.rendering["sum"] == 10)
        #expect(await session.step == 1)
        #expect(await session.isInPast)
        #expect(events.types.suffix(3) == ["reloaded", "moved", "rendering"])
        try await session.redo()
        #expect(await session.rendering["sum"] == 30)
        try await session.go(to: 3)
        #expect(await session.rendering["sum"] == 60)
        #expect(await !session.isInPast)
    }

    @Test(arguments: 0...2)
    func aSessionThatWasReloadedInThePastIsRecordedAsItWent(step: Int) async throws {
        try write(source())
        let recorded = folder.path("reloaded.jsonl")
        let options = FlowOptions(props: ["title": "a"], journal: try FlowJournal(path: recorded))
        let session = try await FlowSession.open(.file(file), options: options)
        for n in 1...2 { try await add(n, in: session) }
        try await session.go(to: step)
        try await session.reload(.replayingInputs)
        try await add(4, in: session)
        try await session.go(to: 0)
        try await session.go(to: step + 1)
        try await add(8, in: session)
        #expect(await session.rendering["sum"] == .int([12, 13, 15][step]))
        await session.close()
        let recording = try FlowRecording(path: recorded)
        let again = try await recording.makeSession(of: .file(file))
        #expect(try await recording.replay(in: again).isEmpty)
        #expect(await again.rendering["sum"] == .int([12, 13, 15][step]))
    }

    @Test func workersStartAnewAndTheirOutputsStay() async throws {
        let probe = ProbePlugin()
        let log = WorkerLog()
        try write(FlowSource.runnerText)
        let session = try await FlowSession.open(
            .file(file), options: FlowOptions(plugins: try WorkerRegistry([probe.plugin])),
            onEvent: { log.add($0) })
        try await session.send(["type": "run", "worker": "probe.run", "input": ["id": 1]])
        let first = try #require(await probe.next())
        try await first.outputs.send("one")
        await log.wait(for: #"worker:probe.run sent {"output":"one","type":"got"}"#)
        try write(FlowSource.runnerText.replacing("state.count + 1", with: "state.count + 10"))
        try await session.reload(.replayingInputs)
        await first.untilEnded()
        let second = try #require(await probe.next())
        #expect(await session.rendering["count"] == 10)
        try await second.outputs.send("two")
        await log.wait(for: #"worker:probe.run sent {"output":"two","type":"got"}"#)
        #expect(await session.rendering["count"] == 20)
        #expect(
            log.lines.filter { !$0.hasPrefix("worker:") } == [
                "flow/probe.run started", "flow/probe.run gave \"one\"", "flow/probe.run cancelled",
                "flow/probe.run started", "flow/probe.run gave \"two\"",
            ])
    }

    @Test func nativeStatesThatCannotBeKeptAreMadeAgain() async throws {
        struct Meter: Workflow {
            // Functions cannot be written to a file.
            struct State { var read: () -> Int }
            struct Props: Decodable {}
            func makeInitialState() -> State { State { 7 } }
            func render(state: State, context: RenderContext<Meter>) -> Int { state.read() }
        }
        func text(_ factor: Int) -> String {
            """
            return {
                name = "sum",
                state = { sum = 0 },
                apply = { add = function(state) state.sum = state.sum + \(factor) end },
                render = function(state, context)
                    return { sum = state.sum, meter = context:render("meter", {}) }
                end,
            }
            """
        }
        try write(text(1))
        let session = try await FlowSession.open(
            .file(file),
            options: FlowOptions(registerNativeWorkflows: { natives in
                natives.register("meter", props: Meter.Props.self) { _ in Meter() }
            }))
        try await session.send("add")
        let lost = await #expect(throws: FlowError.self) { try await session.snapshot() }
        #expect(
            lost?.said == """
                the state of sum/Meter cannot be kept
                note: sum/Meter: State is not Codable, and its workflow is not a SnapshottingWorkflow
                help: make the states of native workflows Codable
                """)
        try write(text(10))
        try await session.reload(.replayingInputs)
        #expect(await session.rendering == ["sum": 10, "meter": 7])
    }

    @Test func aSessionWithoutATimelineSaysSo() async throws {
        try write(source())
        let session = try await FlowSession.open(
            .file(file), options: FlowOptions(props: ["title": "a"], keepsTimeline: false))
        let error = await #expect(throws: FlowError.self) {
            try await session.reload(.replayingInputs)
        }
        #expect(
            error?.message == "this session keeps no timeline, so its inputs cannot be played again"
        )
        #expect(error?.help == "reload it with its state")
        try await add(1, in: session)
        #expect(await session.rendering["sum"] == 1)
    }
}
