import CLuaBridge
import PlainValue

extension LuaVM {
    /// Compiles source text to a function that runs it.
    ///
    /// `chunkName` is how errors name the text, such as `todo.lua`. Only text is taken, never
    /// bytecode. Throws a ``LuaError`` of code `syntax` or `sourceTooLong`.
    public func load(_ source: String, chunkName: String) throws(LuaError) -> LuaReference {
        try source.withBytes { bytes, count throws(LuaError) in
            try load(UnsafeRawBufferPointer(start: bytes, count: count), chunkName: chunkName)
        }
    }

    /// Compiles source text, given as bytes, to a function that runs it.
    public func load(
        _ source: UnsafeRawBufferPointer, chunkName: String
    ) throws(LuaError) -> LuaReference {
        guard source.first != 0x1b else {
            throw LuaError(.syntax, "the source is bytecode, not text")
        }
        return try makeReference { slot in
            ("=" + chunkName).withCString { name in
                lb_load(bridge, source.baseAddress, source.count, name, slot)
            }
        }
    }

    /// Calls a function without arguments.
    ///
    /// A call may be made from within a host function; it then runs within the limits of the
    /// outermost call. `root` is how a conversion error names the result. Throws whatever goes
    /// wrong: an error of the script or of a host function, a limit, or a result that is no plain
    /// value where one was asked for.
    public func call(
        _ function: LuaReference, returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try call(function, nil, 0, wanted, root)
    }

    /// Calls a function with one argument.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, returning wanted: LuaReturn = .nothing,
        root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try first.withBridged { first throws(LuaError) in
            try withUnsafePointer(to: first) { arguments throws(LuaError) in
                try call(function, arguments, 1, wanted, root)
            }
        }
    }

    /// Calls a function with two arguments.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, _ second: LuaArgument,
        returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try first.withBridged { first throws(LuaError) in
            try second.withBridged { second throws(LuaError) in
                try withUnsafePointer(to: (first, second)) { pair throws(LuaError) in
                    let arguments = UnsafeRawPointer(pair).assumingMemoryBound(to: lb_argument.self)
                    return try call(function, arguments, 2, wanted, root)
                }
            }
        }
    }

    /// Calls a function with three arguments.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, _ second: LuaArgument,
        _ third: LuaArgument, returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try first.withBridged { first throws(LuaError) in
            try second.withBridged { second throws(LuaError) in
                try third.withBridged { third throws(LuaError) in
                    try withUnsafePointer(to: (first, second, third)) { three throws(LuaError) in
                        let arguments = UnsafeRawPointer(three)
                            .assumingMemoryBound(to: lb_argument.self)
                        return try call(function, arguments, 3, wanted, root)
                    }
                }
            }
        }
    }

    /// Calls a function with any number of arguments.
    public func call(
        _ function: LuaReference, _ arguments: [LuaArgument],
        returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        var bridged: [lb_argument] = []
        return try lend(arguments[...], into: &bridged) { bridged throws(LuaError) in
            try call(function, bridged.baseAddress, Int32(clamping: bridged.count), wanted, root)
        }
    }

    private func lend<Result>(
        _ arguments: ArraySlice<LuaArgument>, into bridged: inout [lb_argument],
        _ body: (UnsafeBufferPointer<lb_argument>) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        guard let first = arguments.first else {
            return try bridged.withUnsafeBufferPointer(body)
        }
        return try first.withBridged { first throws(LuaError) in
            bridged.append(first)
            return try lend(arguments.dropFirst(), into: &bridged, body)
        }
    }

    private func call(
        _ function: LuaReference, _ arguments: UnsafePointer<lb_argument>?, _ count: Int32,
        _ wanted: LuaReturn, _ root: String
    ) throws(LuaError) -> LuaResult {
        var result = lb_value()
        let status = lb_call_function(
            bridge, function.slot, arguments, count, wanted.flags, &result)
        guard status == LB_OK else {
            let error = error(status, root: root)
            if lb_depth(bridge) == 0 { endOutermostCall() }
            throw error
        }
        let value: Value? = wanted.hasValue ? .some(value(result)) : .none
        let reference = result.reference == 0 ? nil : reference(result.reference)
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return LuaResult(type: LuaType(result.type), value: value, reference: reference)
    }

    @inline(__always)
    private func endOutermostCall() {
        if raisedError != nil { raisedError = nil }
        forgetDeadFunctions()
    }
}

extension LuaReturn {
    fileprivate var hasValue: Bool { self == .value || self == .both }

    fileprivate var flags: Int32 {
        switch self {
        case .nothing: 0
        case .value: Int32(LB_WANT_VALUE)
        case .reference: Int32(LB_WANT_REFERENCE)
        case .both: Int32(LB_WANT_VALUE | LB_WANT_REFERENCE)
        }
    }
}
