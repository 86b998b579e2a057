import CLuaBridge
package import PlainValue

/// A read by an expression in a ``LuaMoment``: the value at a path from a variable, or its length.
package final class LuaRead {
    package enum Found {
        case value(Value)
        /// A plain likeness of a value that is not plain.
        case likeness(Value)
        case `nil`
        /// No variable has the name.
        case noVariable
        /// The path leads through a value without fields.
        case noPath
    }

    var read: lb_read
    private let steps: UnsafeMutableBufferPointer<lb_value>

    /// - Parameter path: The keys, each a boolean, a number or a string.
    package init(_ name: String, _ path: [Value] = [], isLength: Bool = false) {
        steps = .allocate(capacity: path.count)
        steps.initialize(repeating: lb_value())
        read = lb_read(
            name: lb_text(copying: name), steps: steps.baseAddress,
            count: Int32(clamping: path.count), is_length: isLength)
        for (index, key) in path.enumerated() { set(key, at: index) }
    }

    deinit {
        read.name.bytes.deallocate()
        for step in steps { step.bytes?.deallocate() }
        steps.deallocate()
    }

    /// Replaces a key of the path; false if the value cannot be one.
    @discardableResult
    package func set(_ key: Value, at index: Int) -> Bool {
        steps[index].bytes?.deallocate()
        steps[index] = lb_value(copying: key)
        return steps[index].type != LB_TYPE_NIL
    }
}

extension LuaMoment {
    /// Reads from the call at a level, by raw access and through views, without running code.
    package func value(of read: LuaRead, at level: Int = 0) -> LuaRead.Found {
        var variable = lb_variable()
        defer { withExtendedLifetime(read) {} }
        switch lb_moment_read(pointer, Int32(clamping: level), &read.read, &variable) {
        case LB_NO_VARIABLE: return .noVariable
        case LB_NO_PATH: return .noPath
        default:
            if variable.value.type == LB_TYPE_NIL { return .nil }
            let value = vm.value(variable.value)
            return variable.is_plain ? .value(value) : .likeness(value)
        }
    }
}

extension lb_value {
    /// Copies a scalar, whose bytes must be deallocated; any other value becomes nil.
    init(copying scalar: Value) {
        self.init()
        switch scalar {
        case .bool(let flag): (type, integer) = (LB_TYPE_BOOLEAN, flag ? 1 : 0)
        case .int(let int): (type, integer) = (LB_TYPE_INTEGER, Int64(int))
        case .double(let double): (type, number) = (LB_TYPE_NUMBER, double)
        case .string(let string):
            let text = lb_text(copying: string)
            (type, bytes, length) = (LB_TYPE_STRING, UnsafeRawPointer(text.bytes), text.length)
        case .null, .list, .record: type = LB_TYPE_NIL
        }
    }
}

extension lb_text {
    /// Copies a text; the copy must be deallocated.
    init(copying text: String) {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        self.init(bytes: copy.baseAddress, length: bytes.count - 1)
    }
}
