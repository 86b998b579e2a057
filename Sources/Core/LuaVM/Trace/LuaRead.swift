import CLuaBridge
package import PlainValue

/// A read by an expression in a ``LuaMoment``: the value at a path from a variable, or its length.
package final class LuaRead {
    /// A step of the path, by key.
    package enum Step: Sendable {
        case field(String)
        case index(Int)
        case number(Double)
        case flag(Bool)
    }

    /// The outcome of a read access.
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

    /// - Parameter name: The name of the variable.
    package init(_ name: String, _ path: [Step] = [], isLength: Bool = false) {
        steps = .allocate(capacity: path.count)
        steps.initialize(repeating: lb_value())
        read = lb_read(
            name: lb_text(copying: name), steps: steps.baseAddress,
            count: Int32(clamping: path.count), is_length: isLength)
        for (index, step) in path.enumerated() { set(step, at: index) }
    }

    deinit {
        read.name.bytes.deallocate()
        for step in steps { step.bytes?.deallocate() }
        steps.deallocate()
    }

    /// Replaces a step.
    package func set(_ step: Step, at index: Int) {
        steps[index].bytes?.deallocate()
        var key = lb_value()
        switch step {
        case .field(let name):
            let text = lb_text(copying: name)
            (key.type, key.bytes, key.length) = (
                LB_TYPE_STRING, UnsafeRawPointer(text.bytes), text.length
            )
        case .index(let number): (key.type, key.integer) = (LB_TYPE_INTEGER, Int64(number))
        case .number(let number): (key.type, key.number) = (LB_TYPE_NUMBER, number)
        case .flag(let flag): (key.type, key.integer) = (LB_TYPE_BOOLEAN, flag ? 1 : 0)
        }
        steps[index] = key
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

extension lb_text {
    /// Copies a text. The copy must be deallocated.
    init(copying text: String) {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        self.init(bytes: copy.baseAddress, length: bytes.count - 1)
    }
}
