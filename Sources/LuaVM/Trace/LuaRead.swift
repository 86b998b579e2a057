import CLuaBridge
package import PlainValue

/// What an expression reads of a ``LuaMoment``: what a path leads to from a variable, or how long that is.
package final class LuaRead {
    /// A step of the path.
    package enum Step: Sendable {
        case field(String)
        case index(Int)
    }

    /// What was found.
    package enum Found {
        case value(Value)
        case `nil`
        /// No variable has the name.
        case noVariable
        /// The path goes through something that has no fields.
        case noPath
    }

    fileprivate var read: lb_read
    private let steps: UnsafeMutableBufferPointer<lb_step>

    /// - Parameter name: That of the variable.
    package init(_ name: String, _ path: [Step] = [], isLength: Bool = false) {
        steps = .allocate(capacity: path.count)
        steps.initialize(repeating: lb_step())
        read = lb_read(
            name: lb_text(copying: name), steps: steps.baseAddress,
            count: Int32(clamping: path.count), is_length: isLength)
        for (index, step) in path.enumerated() { set(step, at: index) }
    }

    deinit {
        read.name.bytes.deallocate()
        for step in steps { step.key.bytes?.deallocate() }
        steps.deallocate()
    }

    /// Puts another step in the place of one.
    package func set(_ step: Step, at index: Int) {
        steps[index].key.bytes?.deallocate()
        switch step {
        case .field(let name): steps[index].key = lb_text(copying: name)
        case .index(let number): steps[index] = lb_step(key: lb_text(), index: Int64(number))
        }
    }
}

extension LuaMoment {
    /// What is read of the call at a level.
    ///
    /// It is read by raw access, through views too, and nothing of the script is run.
    package func value(of read: LuaRead, at level: Int = 0) -> LuaRead.Found {
        var variable = lb_variable()
        defer { withExtendedLifetime(read) {} }
        switch lb_moment_read(pointer, Int32(clamping: level), &read.read, &variable) {
        case LB_NO_VARIABLE: return .noVariable
        case LB_NO_PATH: return .noPath
        default:
            let isNil = variable.value.type == LB_TYPE_NIL
            return isNil ? .nil : .value(vm.value(variable.value))
        }
    }
}

extension lb_text {
    /// A copy, to be deallocated.
    init(copying text: String) {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        self.init(bytes: copy.baseAddress, length: bytes.count - 1)
    }
}
