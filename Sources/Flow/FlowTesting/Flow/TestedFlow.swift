import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// A flow that a test plays, and what of that the test has not asked for yet.
final class TestedFlow {
    /// Something that the flow did, and where the test caused it.
    struct Unclaimed<Content> {
        let content: Content
        let location: FlowError.Location?
    }

    /// The state of the flow after a step.
    struct Checkpoint {
        let state: FlowCheckpoint
        let timers: [WorkerRun: VirtualTimer]
    }

    let flow: LuaFlow
    let player: any PlayedFlow
    let script: LuaScript
    let router: FlowRouter
    let options: FlowTestOptions
    /// The time since the beginning, which passes only when the test says so.
    var now = Duration.zero {
        didSet { player.stoppedTime = now.milliseconds }
    }
    /// The name of whoever sends the next actions and props; `nil` for nobody.
    var principal: String?
    /// What stands in for native workflows, by name.
    let standIns: [String: LuaReference]
    /// Where the test made the flow.
    let location: FlowError.Location?
    var outputs: [Unclaimed<Value>] = []
    var errors: [Unclaimed<FlowError>] = []
    /// What was done to the flow, in words.
    var steps: [String] = []
    /// Where the test does what is being done.
    var stepLocation: FlowError.Location?
    /// The workers that the test has spoken of.
    var mentioned: Set<WorkerRun> = []
    /// Whether outputs and workers that the test does not mention are let pass.
    var isLoose = false
    /// What happened, for a recording.
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
        var limits = LuaVM.Configuration()
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

    /// The number of inputs so far.
    var inputCount: Int { events.inputCount }

    /// Ends the flow; nobody is told of it.
    func end() { player.abandon() }

    /// Runs `body` as the flow that the interpreter's reports are of.
    func play<T>(_ body: () throws(FlowError) -> T) throws(FlowError) -> T {
        guard router.flow == nil else {
            throw FlowError(.misuse, "a flow cannot be played by a flow, only by a test")
        }
        try script.setStandIns(standIns)
        router.flow = self
        defer { router.flow = nil }
        return try body()
    }

    /// Does something to the flow, and keeps what became of it.
    ///
    /// - Parameter title: The step in words.
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
        // What was applied stays so, even if it cannot be rendered.
        if player.step != before { addCheckpoint() }
    }

    private func claimOutputs() {
        outputs += player.takeOutputs().map { Unclaimed(content: $0, location: stepLocation) }
    }

    private func addCheckpoint() {
        guard let state = player.checkpoint() else { return }
        router.kept.add(state.byteCount)
        checkpoints.removeLast(checkpoints.count - state.step)
        checkpoints.append(Checkpoint(state: state, timers: timers))
    }
}

/// A list that closures share.
final class EventList {
    private(set) var all: [FlowEvent] = []
    /// The number of inputs among them.
    private(set) var inputCount = 0

    func append(_ event: FlowEvent) {
        all.append(event)
        if event.isRecordedInput { inputCount += 1 }
    }
}
