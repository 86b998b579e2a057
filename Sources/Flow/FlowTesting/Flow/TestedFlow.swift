import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// A flow that a test plays, with the outputs and errors that the test has not expected yet.
final class TestedFlow {
    /// An output or an error of the flow, and the line of the test that caused it.
    struct Unclaimed<Content> {
        let content: Content
        let location: FlowError.Location?
    }

    struct Checkpoint {
        let state: FlowCheckpoint
        let timers: [WorkerRun: VirtualTimer]
    }

    let flow: LuaFlow
    let player: any PlayedFlow
    let script: LuaScript
    let router: FlowRouter
    let options: FlowTestOptions
    /// The time since the beginning, which passes only in ``advance(by:)``.
    var now = Duration.zero {
        didSet { player.stoppedTime = now.milliseconds }
    }
    /// The name of the sender of the next actions and props; `nil` for nobody.
    var principal: String?
    /// The definitions in place of native workflows, by name.
    let standIns: [String: LuaReference]
    /// The line of the test that made the flow.
    let location: FlowError.Location?
    var outputs: [Unclaimed<Value>] = []
    var errors: [Unclaimed<FlowError>] = []
    /// The steps of the test, in words.
    var steps: [String] = []
    /// The line of the test that the current step is in.
    var stepLocation: FlowError.Location?
    var mentioned: Set<WorkerRun> = []
    /// True if outputs and workers that the test does not mention are ignored.
    var isLoose = false
    /// The events, for a recording.
    let events = EventList()
    /// The states at the beginning and after each step.
    private(set) var checkpoints: [Checkpoint] = []
    var timers: [WorkerRun: VirtualTimer] = [:]

    init(
        _ flow: LuaFlow, props: Value, script: LuaScript, router: FlowRouter,
        options: FlowTestOptions, by principal: String?, standIns: [String: LuaReference],
        at location: FlowError.Location?
    ) throws(FlowError) {
        self.flow = flow
        self.script = script
        self.router = router
        self.options = options
        self.standIns = standIns
        self.location = location
        stepLocation = location
        var limits = LuaVM.Options()
        limits.seed = options.limits.seed
        var own = FlowOptions(
            props: props, limits: limits, keepsTimeline: false,
            maximumDepth: options.maximumDepth, sessionName: "test")
        own.principal = principal
        player = own.makeFlow(
            onEvent: { [events, router] event in
                events.append(event)
                if case .rendering(let value, _, _) = event.kind {
                    router.kept.add(value.byteCount)
                }
            })
        try play { () throws(FlowError) in try player.open(flow) }
        claimOutputs()
        followWorkers()
        addCheckpoint()
    }

    var inputCount: Int { events.inputCount }

    /// Ends the flow without events.
    func end() { player.abandon() }

    /// Runs `body` while the interpreter reports to this flow.
    func play<T>(_ body: () throws(FlowError) -> T) throws(FlowError) -> T {
        guard router.flow == nil else { throw FlowError(.playedByFlow) }
        try script.setStandIns(standIns)
        router.flow = self
        defer { router.flow = nil }
        return try body()
    }

    /// Runs a step of the test, and keeps its outputs, its error and its state.
    func step(_ title: String, _ body: () throws(FlowError) -> Void) throws(FlowError) {
        try router.kept.checkRoom()
        steps.append(title + (stepLocation.map { "   \($0.file):\($0.line)" } ?? ""))
        let before = player.step
        try play { () throws(FlowError) in
            do throws(FlowError) {
                try body()
            } catch {
                errors.append(Unclaimed(content: error, location: stepLocation))
            }
        }
        claimOutputs()
        followWorkers()
        // An applied input stays applied, even if the render fails.
        if player.step != before { addCheckpoint() }
    }

    private func claimOutputs() {
        outputs += player.takeOutputs().map { Unclaimed(content: $0, location: stepLocation) }
    }

    private func addCheckpoint() {
        guard let state = player.checkpoint() else { return }
        router.kept.add(state.byteCount)
        assert(state.step <= checkpoints.count, "a step has no checkpoint")
        checkpoints.removeLast(checkpoints.count - state.step)
        checkpoints.append(Checkpoint(state: state, timers: timers))
    }
}

/// A list that closures share.
final class EventList {
    private(set) var all: [FlowEvent] = []
    private(set) var inputCount = 0

    func append(_ event: FlowEvent) {
        all.append(event)
        if event.isRecordedInput { inputCount += 1 }
    }
}
