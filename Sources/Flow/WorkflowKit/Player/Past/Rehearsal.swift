package import PlainValue
package import Workflow
package import WorkflowLua

/// Replays inputs of a session in a tree of its own, without events.
///
/// Every look into the past uses one: renderings, differences, logs, origins, the debugger, moves
/// and reloads. A rehearsal has a tree with its workers held, its own random numbers and its own
/// clock. The session stays as it is: each call puts back what it changes in the flow's scripts.
///
/// A step is replayed by the code that played it. Where files were reloaded with the state kept,
/// the rehearsal continues from the kept state with the later code, as the session did.
package final class Rehearsal {
    /// A replayed input, with its results.
    package struct Played {
        /// The step after the input. For an input that failed, the step that it would have led to.
        let step: Int
        /// The rendering before it; `nil` at the beginning.
        package let renderingBefore: Value?
        package internal(set) var rendering: Value
        /// The nodes that were rendered, in order, each with its reasons.
        package var rendered: [(node: NodePath, cause: RenderCause)] = []
        package var actions: [AppliedAction] = []
        package var outputs: [Value] = []
        package var failure: FlowError?
    }

    private unowned let player: FlowPlayer
    private let listener: SilentListener
    private(set) var tree: FlowTree
    /// The code that replays the inputs, if it is not the session's current code.
    private var earlierCode: Timeline.EarlierCode?
    private(set) var random: RandomState

    /// Makes a rehearsal at a checkpoint.
    ///
    /// - Parameters:
    ///   - workflow: The root's workflow; by default that of the code that played the next step.
    ///   - isOfNow: Uses the current code, even if earlier code played the next step.
    /// - Throws: A `FlowError` if the tree cannot be rendered or the code is no longer loaded.
    init(
        of player: FlowPlayer, from checkpoint: FlowCheckpoint,
        workflow: LuaWorkflow? = nil, byCodeOfNow isOfNow: Bool = false,
        tracing trace: FlowTrace? = nil
    ) throws(FlowError) {
        player.reviveFlow()
        let code = isOfNow ? nil : try player.earlierCode(after: checkpoint.step)
        let listener = SilentListener(time: player.log.time)
        var random = checkpoint.random
        tree = try Self.makeTree(
            from: checkpoint, player, listener, code?.flow, &random, workflow, trace)
        self.player = player
        self.listener = listener
        self.random = random
        earlierCode = code
    }

    private static func makeTree(
        from checkpoint: FlowCheckpoint, _ player: FlowPlayer, _ listener: SilentListener,
        _ code: LuaFlow?, _ random: inout RandomState, _ workflow: LuaWorkflow? = nil,
        _ trace: FlowTrace? = nil
    ) throws(FlowError) -> FlowTree {
        // A new flow's states are made for its creator, those that a snapshot lacks for nobody.
        listener.principal = checkpoint.tree == nil ? player.scripts.header?.principal : nil
        return try player.withListener(listener, code, &random) { (flow) throws(FlowError) in
            if let trace { try flow.setTrace(trace) }
            // Only a process that has ended refuses this, and its trace has ended with it.
            defer { if trace != nil { try? flow.setTrace(nil) } }
            return try player.makeTree(of: flow, from: checkpoint, workflow: workflow)
        }
    }

    /// Makes a rehearsal of an existing tree of the current code.
    init(of player: FlowPlayer, in tree: FlowTree, _ random: RandomState) {
        self.player = player
        self.tree = tree
        self.random = random
        earlierCode = nil
        listener = SilentListener(time: player.log.time)
    }

    // MARK: Replaying

    /// Replays the next step of the timeline. If a reload kept the state after it, the rehearsal
    /// continues from that state with the later code.
    ///
    /// - Throws: A `FlowError` if it was interrupted without a trace, or the later steps are lost.
    @discardableResult
    package func advance(
        tracing trace: FlowTrace? = nil, notingRenders notesRenders: Bool = false
    ) throws(FlowError) -> Played {
        var played = try play(
            player.past.timeline.inputs[step], tracing: trace, notingRenders: notesRenders)
        // An input that failed in the session fails again. Only an interruption ends the rehearsal.
        if trace == nil, let failure = played.failure, failure.code == .interrupted {
            throw failure
        }
        if let kept = player.past.timeline.kept(at: step) {
            end()
            earlierCode = try player.earlierCode(after: step)
            random = kept.random
            tree = try Self.makeTree(from: kept, player, listener, earlierCode?.flow, &random)
            played.rendering = rendering
        }
        return played
    }

    func advance(to step: Int) throws(FlowError) {
        assert(self.step <= step)
        while self.step < step { try advance() }
    }

    /// Continues with the current code, from the current state.
    func takeCodeOfNow() throws(FlowError) {
        guard earlierCode != nil else { return }
        let entry = checkpoint
        end()
        earlierCode = nil
        tree = try Self.makeTree(from: entry, player, listener, nil, &random)
        tree.entry = checkpoint
    }

    /// Plays an input, which need not be one of the timeline.
    package func play(
        _ input: FlowInput, tracing trace: FlowTrace? = nil,
        notingRenders notesRenders: Bool = false
    ) throws(FlowError) -> Played {
        let before = rendering
        listener.actions = []
        listener.outputs = []
        listener.time = input.milliseconds
        listener.principal = input.principal
        tree.host.notedRenders = notesRenders ? [] : nil
        let failure = try enter { (flow) throws(FlowError) in
            if let trace { try flow.setTrace(trace) }
            // Only a process that has ended refuses this, and its trace has ended with it.
            defer { if trace != nil { try? flow.setTrace(nil) } }
            return apply(input, flow)
        }
        tree.step += 1
        return Played(
            step: tree.step, renderingBefore: before, rendering: rendering,
            rendered: tree.host.notedRenders ?? [], actions: listener.actions,
            outputs: listener.outputs, failure: failure)
    }

    private func apply(_ input: FlowInput, _ flow: LuaFlow) -> FlowError? {
        player.workers.gated?.again = input.refusals
        defer { player.workers.gated?.again = [] }
        let outcome: SendOutcome?
        switch input.kind {
        case .action(let action, let path):
            do throws(FlowError) {
                outcome = try flow.send(action, to: path, in: tree.host)
            } catch {
                return error
            }
        case .worker(let news): outcome = flow.emit(news, in: tree.host, evenIfEnded: true)
        case .props(let props): outcome = tree.update(props: props, of: flow)
        }
        if case .failed(let failed)? = outcome { return FlowError(failed) }
        return nil
    }

    package func update(_ workflow: LuaWorkflow) throws(FlowError) {
        let outcome = try enter { (_) throws(FlowError) in tree.host.update(workflow: workflow) }
        if case .failed(let failed) = outcome { throw FlowError(failed) }
    }

    /// Reuses the rehearsal for a checkpoint, as if made from it. After `false` it is of no use.
    func goOn(from checkpoint: FlowCheckpoint) -> Bool {
        guard player.past.timeline.earlierCode(after: checkpoint.step)?.last == earlierCode?.last
        else { return false }
        random = checkpoint.random
        return (try? enter { tree.goOn(from: checkpoint, of: $0) }) ?? false
    }

    /// Ends the rehearsal, and throws, unless its tree has all states that it was made from.
    func requireWhole() throws(FlowError) {
        guard let lost = tree.host.restoration?.lost.first else { return }
        end()
        throw FlowError(.lostNode, lost.path, lost.reason)
    }

    /// Ends the tree without events.
    func end() {
        let outer = player.processing.silence
        player.processing.silence = listener
        tree.host.shutDown()
        player.processing.silence = outer
    }

    private func enter<Result>(
        _ body: (LuaFlow) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        try player.withListener(listener, earlierCode?.flow, &random) { (flow) throws(FlowError) in
            player.workers.gated?.current = tree.gate
            return try body(flow)
        }
    }

    // MARK: Looking

    /// The code that replays the inputs.
    package var code: LuaFlow {
        get throws(FlowError) {
            guard let code = earlierCode?.flow ?? player.flow else { throw .closed }
            return code
        }
    }

    package var host: WorkflowHost<LuaWorkflow> { tree.host }

    package var step: Int { tree.step }

    var rendering: Value { tree.host.rendering.value }

    /// The number of actions that the current input has led to so far.
    package var actionCount: Int { listener.actions.count }

    package var checkpoint: FlowCheckpoint {
        FlowCheckpoint(
            step: tree.step, tree: tree.host.makeSnapshot(), random: random, props: tree.props,
            ended: tree.endedWorkers, refusals: tree.gate.refusals)
    }

    /// True if the tree has the definitions of the current script process.
    var isUsable: Bool { tree.generation == player.flow?.generation }

    var moment: FlowMoment {
        FlowMoment(step: tree.step, rendering: rendering, root: player.nodes(of: tree))
    }
}

extension FlowPlayer {
    /// Calls a function while a silent listener gets the reports, and restores all afterwards.
    ///
    /// - Parameter code: The code in force; `nil` for the current code.
    func withListener<Result>(
        _ listener: SilentListener, _ code: LuaFlow?, _ random: inout RandomState,
        _ body: (LuaFlow) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        guard let now = flow else { throw .closed }
        let (outer, gate, before) = (processing.silence, workers.gated?.current, now.randomState)
        // Earlier and current code share one interpreter; one of them is in force at a time.
        try code?.takeOver()
        processing.silence = listener
        now.randomState = random
        defer {
            random = now.randomState
            now.randomState = before
            processing.silence = outer
            if let gate { workers.gated?.current = gate }
            // A process that has ended loads the current code when it is recovered.
            if code != nil { try? flow?.takeOver() }
        }
        return try body(code ?? now)
    }
}
