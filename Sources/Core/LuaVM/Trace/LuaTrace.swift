import CLuaBridge
package import PlainValue

/// A host's interest in the lines that scripts run. Set by ``LuaVM/setTrace(_:)``. A trace of all
/// lines makes functions several times as slow, as does a chosen line of theirs; others cost little
/// more than their calls. No trace costs nothing.
package struct LuaTrace {
    /// The lines to report; `nil` for all.
    package var lines: LuaTracedLines?
    /// True to report the ends of functions, too.
    package var tellsReturns: Bool
    /// True to report errors that scripts catch, too.
    package var tellsCatches: Bool
    /// True to count all lines, in ``LuaTracedLines/passedCount`` of the reported lines.
    package var countsLines: Bool
    /// The factor by which a call may exceed its time limit, since reports take time themselves.
    package var patience: Int
    /// The path whose values ``LuaMoment/places(_:at:)`` looks for. With a path no garbage is
    /// collected, and ends of C functions that ran another Lua thread are reported.
    package var path: ValuePath?
    /// Called before a line runs, when a function ends, or when an error was caught. It may read
    /// the moment, but must not call the VM.
    package var onMoment: (borrowing LuaMoment) -> Void

    package init(
        lines: LuaTracedLines? = nil, tellsReturns: Bool = false, tellsCatches: Bool = false,
        countsLines: Bool = false, patience: Int = 1, path: ValuePath? = nil,
        onMoment: @escaping (borrowing LuaMoment) -> Void
    ) {
        self.lines = lines
        self.tellsReturns = tellsReturns
        self.tellsCatches = tellsCatches
        self.countsLines = countsLines
        self.patience = patience
        self.path = path
        self.onMoment = onMoment
    }
}

extension LuaVM {
    /// Starts the reports of lines, for calls that begin from now on; `nil` ends them.
    package func setTrace(_ trace: LuaTrace?) throws(LuaError) {
        guard let trace else {
            try check(lb_trace(bridge, nil, LB_TRACED_LINES, 1, nil, 0))
            self.trace = nil
            tracedPath = nil
            return
        }
        try check(
            lb_trace(
                bridge, runTrace, trace.told, UInt32(clamping: trace.patience),
                trace.lines?.lines.baseAddress,
                trace.lines?.locations.count ?? 0))
        self.trace = trace
        guard let path = trace.path?.components else { return }
        let keys = try makeTable(.list(of: path.map(\.value)))
        lb_trace_follow(bridge, keys.slot, Int32(path.count))
        tracedPath = keys
    }
}

extension LuaTrace {
    fileprivate var told: lb_traced {
        var told = LB_TRACED_LINES.rawValue
        if tellsReturns { told |= LB_TRACED_RETURNS.rawValue }
        if tellsCatches { told |= LB_TRACED_CATCHES.rawValue }
        if countsLines { told |= LB_TRACED_COUNTS.rawValue }
        return lb_traced(rawValue: told)
    }
}

extension ValuePath.Component {
    fileprivate var value: Value {
        switch self {
        case .key(let key): .string(key)
        case .index(let index): .int(index)
        }
    }
}

private func runTrace(owner: UnsafeMutableRawPointer?, moment: OpaquePointer?) {
    guard let owner, let moment else { return }
    let vm = Unmanaged<LuaVM>.fromOpaque(owner).takeUnretainedValue()
    vm.trace?.onMoment(LuaMoment(pointer: moment, vm: vm))
}
