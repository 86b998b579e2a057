import CLuaBridge
package import PlainValue

/// A point that a script has reached. Valid only while ``LuaTrace/onMoment`` runs.
package struct LuaMoment: ~Copyable {
    let pointer: OpaquePointer
    package let vm: LuaVM

    /// True if a function is about to end; otherwise a line is about to run.
    package var isReturn: Bool { lb_moment_is_return(pointer) }

    /// The index of this line among those that the trace has chosen; `nil` if it has chosen none.
    package var tracedLine: Int? {
        let index = lb_moment_traced(pointer)
        return index < 0 ? nil : index
    }

    /// The error that the script has just caught; `nil` if there is none.
    package var caughtError: LuaVariable? {
        var error = lb_variable()
        guard lb_moment_caught(pointer, &error) else { return nil }
        return named("", error)
    }

    package func isIn(chunk: String) -> Bool {
        var level = lb_level()
        guard lb_moment_level(pointer, 0, &level) else { return false }
        return chunk.utf8.elementsEqual(
            UnsafeRawBufferPointer(start: level.chunk.bytes, count: level.chunk.length))
    }

    package var line: Int {
        var level = lb_level()
        return lb_moment_level(pointer, 0, &level) ? Int(level.line) : 0
    }

    /// The number of calls under way, including functions in C, in this Lua thread, which may be a
    /// coroutine, and in those that wait for it.
    package var depth: Int { Int(lb_moment_depth(pointer, true)) }

    package var depthInThread: Int { Int(lb_moment_depth(pointer, false)) }

    /// The call at a level, counted from the innermost one, 0; `nil` if there are fewer calls.
    package func call(at level: Int) -> LuaCallUnderWay? {
        var told = lb_level()
        guard lb_moment_level(pointer, Int32(clamping: level), &told) else { return nil }
        return LuaCallUnderWay(
            location: LuaLocation(chunk: String(told.chunk), line: Int(told.line)),
            function: told.name.length == 0 ? nil : String(told.name),
            lines: Int(told.first_line)...Int(max(told.first_line, told.last_line)))
    }

    /// The local variables of the call at a level, in the order of their declarations.
    package func locals(at level: Int = 0) -> [LuaVariable] { variables(LB_LOCAL, level) }

    package func upvalues(at level: Int = 0) -> [LuaVariable] { variables(LB_UPVALUE, level) }

    /// The value of a reference, or the likeness of one that is not plain.
    package func value(of reference: LuaReference) -> Value {
        var variable = lb_variable()
        _ = lb_moment_variable(pointer, 0, LB_REFERENCE, reference.slot, &variable)
        return value(variable)
    }

    private func variables(_ kind: lb_variable_kind, _ level: Int) -> [LuaVariable] {
        var variables: [LuaVariable] = []
        var variable = lb_variable()
        var index: Int32 = 1
        while lb_moment_variable(pointer, Int32(clamping: level), kind, index, &variable) {
            index += 1
            let name = String(variable.name)
            // Lua's own names for unnamed variables are `(for state)` and the like.
            guard !name.hasPrefix("("), name != "_ENV" else { continue }
            variables.append(named(name, variable))
        }
        return variables
    }

    /// The values of the variables with these names that are visible to the code at a level.
    package func values(of names: [String], at level: Int = 0) -> [String: Value] {
        var values: [String: Value] = [:]
        for name in names where name != "_ENV" {
            switch value(of: LuaRead(name), at: level) {
            case .value(let value), .likeness(let value): values[name] = value
            case .nil: values[name] = .null
            case .noVariable, .noPath: break
            }
        }
        return values
    }

    /// Copies of the visible variables with these names at a level, with all that they contain. A
    /// function is copied with its upvalues, so calling it changes nothing here.
    ///
    /// - Throws: A ``LuaError`` without enough memory, or if the scripts run in another process.
    package func copies(
        of names: [String], at level: Int
    ) throws(LuaError) -> [String: LuaArgument] {
        let texts = names.map { lb_text(copying: $0) }
        defer { for text in texts { text.bytes.deallocate() } }
        let absent = Int32(LB_COPY_ABSENT)
        var slots = [Int32](repeating: absent, count: names.count)
        try vm.check(
            lb_moment_copy(
                pointer, Int32(clamping: level), texts, Int32(clamping: names.count), &slots))
        var copies: [String: LuaArgument] = [:]
        for (name, slot) in zip(names, slots) where slot != absent {
            copies[name] = slot == Int32(LB_COPY_NIL) ? .nil : .reference(vm.reference(slot))
        }
        return copies
    }

    /// Calls a function within the limits of the call under way. The function is not traced.
    ///
    /// - Parameter instructionLimit: The instruction limit of the function, if that of a call is
    ///   not lower. Exceeding it does not end the call under way.
    package func call(
        _ function: LuaReference, _ arguments: [LuaArgument], instructionLimit: Int
    ) throws(LuaError) -> LuaVariable {
        var result = lb_variable()
        let status = try vm.withBridged(arguments) { raw in
            lb_moment_call(
                pointer, function.slot, raw.baseAddress, Int32(clamping: raw.count),
                UInt64(instructionLimit), &result)
        }
        if status == LB_INSTRUCTIONS {
            let limit = min(vm.options.instructionLimit ?? .max, instructionLimit)
            throw LuaError(.instructionLimit, "the call ran more than \(limit) instructions")
        }
        try vm.check(status)
        return named("", result)
    }

    private func named(_ name: String, _ variable: lb_variable) -> LuaVariable {
        LuaVariable(
            name: name, value: value(variable), isPlain: variable.is_plain,
            isNil: variable.is_plain && variable.value.type == LB_TYPE_NIL)
    }

    private func value(_ variable: lb_variable) -> Value { vm.value(variable.value) }
}

package struct LuaCallUnderWay: Hashable, Sendable {
    /// The current location; line 0 for a function in C.
    package let location: LuaLocation
    package let function: String?
    /// The lines of the function; 0 for a whole file, and for a function in C.
    package let lines: ClosedRange<Int>
}

package struct LuaVariable: Hashable, Sendable {
    package let name: String
    /// The value, or the likeness of one that is not plain: texts such as `<function todo.lua:12>`
    /// stand for its parts.
    package var value: Value
    package let isPlain: Bool
    /// True if the value is Lua's nil, which differs from the null of plain values.
    package let isNil: Bool

    package init(name: String = "", value: Value, isPlain: Bool = true, isNil: Bool = false) {
        self.name = name
        self.value = value
        self.isPlain = isPlain
        self.isNil = isNil
    }
}
