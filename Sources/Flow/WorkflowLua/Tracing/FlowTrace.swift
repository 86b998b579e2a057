package import LuaVM
package import PlainValue
package import Workflow

/// Traces the lines that a flow's functions run, unseen by the flow; see ``LuaFlow/setTrace(_:)``.
package struct FlowTrace {
    /// The traced lines, with files relative to the flow's folder; `nil` for all.
    package var lines: LuaTracedLines?
    package var tellsReturns: Bool
    /// Traces errors that functions catch too.
    package var tellsCatches: Bool
    /// Counts all lines, in ``LuaTracedLines/passedCount`` of the traced lines.
    package var countsLines: Bool
    /// The factor by which a call may exceed its time limit. A call that ended in time ends again
    /// in a replay, but tracing its lines takes many times as long.
    package var patience = 100
    /// The path whose values `LuaMoment.places` looks for. With a path, no garbage is collected.
    package var path: ValuePath?
    /// Called before a traced line runs, at the end of a function, or when an error was caught.
    ///
    /// - Important: It may read the moment, and must not call the flow otherwise.
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

/// The traced call of a node's function, valid as long as its moment, and its `node` longer.
package struct TracedCall {
    let runtime: FlowRuntime
    private let call: NodeCall?
    /// The number of nested calls of nodes.
    package let depth: Int

    /// The number of the innermost call since the trace was set, from 1; 0 while a file is run.
    package let number: Int

    init(in runtime: FlowRuntime, after first: Int) {
        self.runtime = runtime
        number = runtime.calls.depth == 0 ? 0 : runtime.calls.innermost.number - first
        call = runtime.innermost
        depth = runtime.calls.depth
    }

    /// The phase of the call; `load` while a file is run.
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

    package var makesStateOrRendering: Bool {
        switch call?.kind {
        case .state, .render: true
        case .changed, .migrate, .apply, .answer, nil: false
        }
    }

    /// The path of the node, without a key before its first render; empty while a file is run.
    package var node: NodePath { call?.path ?? NodePath([]) }

    package var props: Value { call?.props ?? .null }

    /// The table from which the parent made the props; valid at the first moment of the call.
    package var propsTable: UnsafeRawPointer? { runtime.traced?.props }

    /// The node's state at a moment of the call, with the changes so far; `nil` if it has none.
    package func state(at moment: borrowing LuaMoment) -> Value? {
        switch call?.kind {
        case .apply, .render, .changed: call?.node.table.reference.map { moment.value(of: $0) }
        case .state, .migrate, .answer, nil: nil
        }
    }

    /// The table of the state, if the function may change it.
    package var stateTable: LuaReference? {
        call?.kind == .apply || call?.kind == .changed ? call?.node.table.reference : nil
    }

    package var action: Value? { call?.kind == .apply ? runtime.traced?.action : nil }
}

extension LuaFlow {
    /// Traces the calls that begin from now on; `nil` ends it. Throws without a process or memory.
    package func setTrace(_ trace: FlowTrace?) throws(FlowError) {
        let first = runtime.calls.count
        runtime.traced = trace == nil ? nil : runtime.traced ?? TracedInputs()
        try lua { [runtime] () throws(LuaError) in
            try runtime.vm.setTrace(
                trace.map { trace in
                    // Unowned: the runtime owns the VM, which retains this.
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
