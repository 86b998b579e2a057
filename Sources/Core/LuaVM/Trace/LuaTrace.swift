import CLuaBridge
package import PlainValue

/// What a host hears of the lines that scripts run.
///
/// Set by ``LuaVM/setTrace(_:)``. Functions cost several times as much while all lines are told, and those with a chosen
/// line too; other functions cost little more than their calls. Without a trace nothing costs anything.
package struct LuaTrace {
    /// The lines that are told; `nil`: all.
    package var lines: LuaTracedLines?
    /// Whether the ends of functions are told too.
    package var tellsReturns: Bool
    /// Whether errors that scripts catch are told too.
    package var tellsCatches: Bool
    /// True if all lines are counted, in ``LuaTracedLines/passedCount`` of the lines that are told.
    package var countsLines: Bool
    /// How many times its limit of time a call may take, as being told of lines takes time itself.
    package var patience: Int
    /// The path whose values ``LuaMoment/places(_:at:)`` looks for; with one no garbage is collected, and the ends of
    /// functions that are told are also those of functions in C that have run another Lua thread.
    package var path: ValuePath?
    /// Called before a line is run, where a function ends, or where an error was caught.
    ///
    /// It reads the moment, and calls nothing else of the VM.
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
    /// Has the lines of the calls that begin from now on told; `nil` ends it.
    ///
    /// - Throws: A ``LuaError`` if the process of the scripts has ended, or if there is no memory for it.
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
