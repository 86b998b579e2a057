import CLuaBridge
import PlainValue

extension LuaVM {
    /// Compiles source text to a function that runs it.
    ///
    /// `chunkName` is the name of the text in errors. Bytecode is refused. A byte order mark is
    /// skipped, and so is a first line that begins with `#`; line numbers remain those of the text.
    ///
    /// ```swift
    /// _ = try vm.load("1 +", chunkName: "a.lua")  // throws a.lua:1: unexpected symbol near '1'
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `syntax`, `sourceTooLong` or `memoryLimit`.
    public func load(_ source: String, chunkName: String) throws(LuaError) -> LuaReference {
        try source.withBytes { bytes, count throws(LuaError) in
            try load(UnsafeRawBufferPointer(start: bytes, count: count), chunkName: chunkName)
        }
    }

    /// Compiles source text, given as bytes, to a function that runs it.
    ///
    /// - Throws: A ``LuaError`` of code `syntax`, `sourceTooLong` or `memoryLimit`.
    public func load(
        _ source: UnsafeRawBufferPointer, chunkName: String
    ) throws(LuaError) -> LuaReference {
        try load(source, named: "=" + chunkName)
    }

    /// Compiles a file of a library: up to ``librarySourceLimit`` bytes that may write own globals.
    package func loadLibrary(
        _ source: UnsafeRawBufferPointer, chunkName: String
    ) throws(LuaError) -> LuaReference {
        try load(source, named: "@" + chunkName)
    }

    package static let librarySourceLimit = 1 << 20

    private func load(
        _ source: UnsafeRawBufferPointer, named name: String
    ) throws(LuaError) -> LuaReference {
        // Lua does not verify bytecode, so it could do anything to the host.
        guard source.first != 0x1b else {
            throw LuaError(.syntax, "the source is bytecode, not text")
        }
        return try makeReference { slot in
            name.withCString { name in
                lb_load(bridge, source.baseAddress, source.count, name, slot)
            }
        }
    }

    /// The bytes of the byte order mark at the start of a source text; 0 if there is none.
    package static func byteOrderMarkLength(of source: [UInt8]) -> Int {
        source.withUnsafeBytes { lb_mark_length($0.baseAddress, $0.count) }
    }

    /// Calls a function without arguments.
    ///
    /// A call from within a host function runs within the limits of the outermost call.
    ///
    /// ```swift
    /// let count = try vm.call(function, returning: .value, root: "count").value?.int
    /// ```
    ///
    /// - Parameters:
    ///   - wanted: The form of the result: none, a plain value, a reference or both.
    ///   - root: The name of the result in a conversion error.
    /// - Returns: The first result of the function in the wanted form.
    /// - Throws: The error of the script or a host function, an exceeded limit, or a conversion
    ///   error for a result that should be plain.
    public func call(
        _ function: LuaReference, returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try call(function, nil, 0, wanted, root)
    }

    /// Calls a function with one argument, as ``call(_:returning:root:)`` does.
    ///
    /// - Parameters:
    ///   - function: A function of this VM.
    ///   - first: The argument.
    ///   - wanted: The form of the result: none, a plain value, a reference or both.
    ///   - root: The name of the result in a conversion error.
    /// - Throws: As ``call(_:returning:root:)``; `conversion` also if an argument is too deep.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, returning wanted: LuaReturn = .nothing,
        root: String = "result"
    ) throws(LuaError) -> LuaResult {
        let one = try BridgedArgument(first)
        defer { withExtendedLifetime((first, one)) {} }
        return try withUnsafePointer(to: one.raw) { arguments throws(LuaError) in
            try call(function, arguments, 1, wanted, root)
        }
    }

    /// Calls a function with two arguments, as ``call(_:returning:root:)`` does.
    ///
    /// ```swift
    /// let next = try vm.call(apply, .reference(state), .value("add"), returning: .reference)
    /// ```
    ///
    /// - Parameters:
    ///   - function: A function of this VM.
    ///   - first: The first argument.
    ///   - second: The second one.
    ///   - wanted: The form of the result: none, a plain value, a reference or both.
    ///   - root: The name of the result in a conversion error.
    /// - Throws: As ``call(_:returning:root:)``; `conversion` also if an argument is too deep.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, _ second: LuaArgument,
        returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        let one = try BridgedArgument(first)
        let two = try BridgedArgument(second)
        defer { withExtendedLifetime((first, one, second, two)) {} }
        return try withUnsafePointer(to: (one.raw, two.raw)) { pair throws(LuaError) in
            try call(function, elements(of: pair), 2, wanted, root)
        }
    }

    /// Calls a function with three arguments, as ``call(_:returning:root:)`` does.
    ///
    /// - Parameters:
    ///   - function: A function of this VM.
    ///   - first: The first argument.
    ///   - second: The second one.
    ///   - third: The third one.
    ///   - wanted: The form of the result: none, a plain value, a reference or both.
    ///   - root: The name of the result in a conversion error.
    /// - Throws: As ``call(_:returning:root:)``; `conversion` also if an argument is too deep.
    public func call(
        _ function: LuaReference, _ first: LuaArgument, _ second: LuaArgument,
        _ third: LuaArgument, returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        let one = try BridgedArgument(first)
        let two = try BridgedArgument(second)
        let three = try BridgedArgument(third)
        defer { withExtendedLifetime((first, one, second, two, third, three)) {} }
        return try withUnsafePointer(to: (one.raw, two.raw, three.raw)) { all throws(LuaError) in
            try call(function, elements(of: all), 3, wanted, root)
        }
    }

    /// Calls a function with any number of arguments, as ``call(_:returning:root:)`` does.
    ///
    /// ```swift
    /// let numbers: [LuaArgument] = [3, 9, 4].map { .value(.int($0)) }
    /// let largest = try vm.call(maximum, numbers, returning: .value).value  // 9
    /// ```
    ///
    /// - Parameters:
    ///   - function: A function of this VM.
    ///   - arguments: The arguments in order.
    ///   - wanted: The form of the result: none, a plain value, a reference or both.
    ///   - root: The name of the result in a conversion error.
    /// - Throws: As ``call(_:returning:root:)``; `conversion` also if an argument is too deep.
    public func call(
        _ function: LuaReference, _ arguments: [LuaArgument],
        returning wanted: LuaReturn = .nothing, root: String = "result"
    ) throws(LuaError) -> LuaResult {
        try withBridged(arguments) { raw throws(LuaError) in
            try call(function, raw.baseAddress, Int32(clamping: raw.count), wanted, root)
        }
    }

    func withBridged<Result>(
        _ arguments: [LuaArgument],
        _ body: (UnsafeBufferPointer<lb_argument>) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        var bridged: [BridgedArgument] = []
        for argument in arguments { bridged.append(try BridgedArgument(argument)) }
        defer { withExtendedLifetime((arguments, bridged)) {} }
        return try bridged.map(\.raw).withUnsafeBufferPointer { raw throws(LuaError) in
            try body(raw)
        }
    }

    private func call(
        _ function: LuaReference, _ arguments: UnsafePointer<lb_argument>?, _ count: Int32,
        _ wanted: LuaReturn, _ root: String
    ) throws(LuaError) -> LuaResult {
        var result = lb_value()
        let status = lb_call_function(
            bridge, slot(of: function), arguments, count, wanted.flags, &result)
        return try converted(result, status, wanted, root)
    }

    private func converted(
        _ result: lb_value, _ status: lb_status, _ wanted: LuaReturn, _ root: String
    ) throws(LuaError) -> LuaResult {
        guard status == LB_OK else { throw failed(status, root) }
        let value: Value? = wanted.hasValue ? .some(value(result)) : .none
        let reference = result.reference == 0 ? nil : reference(result.reference)
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return LuaResult(
            type: LuaType(result.type), value: value, reference: reference)
    }

    @inline(never)
    func failed(_ status: lb_status, _ root: String, _ tableRoot: String = "") -> LuaError {
        let error = error(status, root: status == LB_CHANGED_CONVERSION ? tableRoot : root)
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return error
    }

    @inline(__always)
    func endOutermostCall() {
        assert(depth == 0)
        if raisedError != nil { raisedError = nil }
        if lb_has_dead_functions(bridge) { forgetDeadFunctions() }
    }
}

/// The elements of a tuple of arguments, which lie side by side.
@inline(__always)
func elements<Tuple>(of tuple: UnsafePointer<Tuple>) -> UnsafePointer<lb_argument> {
    UnsafeRawPointer(tuple).assumingMemoryBound(to: lb_argument.self)
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
