package import LuaVM
package import PlainValue

/// What a host hears of the lines that the functions of a flow run.
///
/// Set by ``LuaFlow/setTrace(_:)``. Nothing of it is visible to the flow.
package struct FlowTrace {
    /// The lines that are told, of files relative to the flow's folder; `nil`: all.
    package var lines: LuaTracedLines?
    /// Whether the ends of functions are told too.
    package var tellsReturns: Bool
    /// Whether errors that functions catch are told too.
    package var tellsCatches: Bool
    /// True if all lines are counted, in ``LuaTracedLines/passedCount`` of the lines that are told.
    package var countsLines: Bool
    /// How many times its limit of time a call may take. A call that has ended in time ends again, but to be told of its
    /// lines and to evaluate expressions there takes many times as long.
    package var patience = 100
    /// The path whose values `LuaMoment.places` looks for; with one no garbage is collected.
    package var path: ValuePath?
    /// Called before a line is run, where a function ends, or where an error was caught; it reads the moment, and calls nothing else of the flow.
    package var onMoment: (TracedCall, borrowing LuaMoment) -> Void

    package init(
        lines: LuaTracedLines? = nil, tellsReturns: Bool = false, tellsCatches: Bool = false,
        countsLines: Bool = false, path: ValuePath? = nil,
        onMoment: @escaping (TracedCall, borrowing LuaMoment) -> Void
    ) {
        self.lines = lines
        self.tellsReturns = tellsReturns
        self.tellsCatches = tellsCatches
        self.countsLines = countsLines
        self.path = path
        self.onMoment = onMoment
    }
}

/// The call of a node's function that is traced; good as long as its moment, and its `node` afterwards too.
package struct TracedCall {
    let runtime: FlowRuntime
    private let call: NodeCall?
    /// How many calls of nodes are under way, each within the one before.
    package let depth: Int

    /// The number of the innermost call among those since the trace was set, from 1; 0 if a file is being run.
    package let number: Int

    init(in runtime: FlowRuntime, after first: Int) {
        self.runtime = runtime
        number = runtime.calls.depth == 0 ? 0 : runtime.calls.innermost.number - first
        call = runtime.innermost
        depth = runtime.calls.depth
    }

    /// What the function is for; `load` if a file is being run.
    package var phase: FlowPhase {
        switch call?.kind {
        case nil: .load
        case .state: .state
        case .changed: .changed
        case .migrate: .migrate
        case .render: .render
        case .apply: .apply(call?.node.functions.lastType.text)
        case .answer: .answer("on_output")
        }
    }

    /// True if the function makes a state or a rendering.
    package var makesStateOrRendering: Bool {
        switch call?.kind {
        case .state, .render: true
        case .changed, .migrate, .apply, .answer, nil: false
        }
    }

    /// The path of the node; empty if a file is being run. It has no key before the node is rendered for the first time.
    package var node: String { call?.path ?? "" }

    /// The props of the node.
    package var props: Value { call?.props ?? .null }

    /// The table that the parent has just made of the props; good at the first moment of the call.
    package var propsTable: UnsafeRawPointer? { runtime.traced?.props }

    /// The state of the node at a moment of the call, with what the call has changed by then; `nil` if the function is given
    /// none.
    package func state(at moment: borrowing LuaMoment) -> Value? {
        switch call?.kind {
        case .apply, .render, .changed: call?.node.table.reference.map { moment.value(of: $0) }
        case .state, .migrate, .answer, nil: nil
        }
    }

    /// The table of the state that the function may change; `nil` if it may change none.
    package var stateTable: LuaReference? {
        call?.kind == .apply || call?.kind == .changed ? call?.node.table.reference : nil
    }

    /// The action that is being applied; `nil` if none is.
    package var action: Value? { call?.kind == .apply ? runtime.traced?.action : nil }
}

extension LuaFlow {
    /// Has the lines of the calls that begin from now on told; `nil` ends it.
    ///
    /// - Throws: A ``FlowError`` if the process of the scripts has ended, or if there is no memory for it.
    package func setTrace(_ trace: FlowTrace?) throws(FlowError) {
        let first = runtime.calls.count
        runtime.traced = trace == nil ? nil : runtime.traced ?? TracedInputs()
        try lua { [runtime] () throws(LuaError) in
            try runtime.vm.setTrace(
                trace.map { trace in
                    // The VM, which the runtime owns, keeps this.
                    LuaTrace(
                        lines: trace.lines, tellsReturns: trace.tellsReturns,
                        tellsCatches: trace.tellsCatches, countsLines: trace.countsLines,
                        patience: trace.patience, path: trace.path
                    ) { [unowned runtime] moment in
                        trace.onMoment(TracedCall(in: runtime, after: first), moment)
                    }
                })
        }
    }
}
