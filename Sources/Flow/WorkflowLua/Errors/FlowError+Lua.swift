package import LuaVM

extension FlowError {
    /// Makes the error of a call into Lua. A host function's own error gets its place.
    package init(_ error: LuaError) {
        if var own = error.underlying as? FlowError {
            // Only a host function's own error lacks its place; that of a nested call is complete.
            if own.location == nil, own.phase == nil {
                own.location = error.location.map(Location.init)
                own.frames = error.frames.map(Frame.init)
            }
            self = own
            return
        }
        self.init(Code(error.code), error.message)
        location = error.location.map(Location.init)
        if let earlierLine { location?.line = earlierLine }
        frames = error.frames.map(Frame.init)
        locals = error.locals.map { Local(name: $0.name, value: $0.value) }
        hint = Self.hint(for: error)
        field = error.path
    }

    /// Adds the node's props to the variables of a function that received a context.
    mutating func addProps(of call: NodeCall) {
        guard code == .lua, call.kind == .render || call.kind == .apply, call.props != emptyProps
        else { return }
        let local = LuaLocal(name: "context.props", value: call.props)
        locals.append(Local(name: local.name, value: local.value))
    }

    /// The likely reason of nodes or calls that are nested too deep.
    static let endlessDepth: Hint =
        "does a flow render itself, or a function call itself, without an end?"

    private static func hint(for error: LuaError) -> Hint? {
        switch error.code {
        case .conversion where error.conversion == .type(.function):
            "use context:sink(\"type\") for something that can be sent back"
        case .conversion: hint(for: error.conversion)
        case .depth: endlessDepth
        case .processEnded: "the flow goes on in a new process, with the state from before"
        case .timeLimit: Hint("raise ", .timeLimit)
        case .instructionLimit: Hint("raise ", .instructionLimit)
        case .memoryLimit: Hint("raise ", .memoryLimit)
        default: nil
        }
    }

    private static func hint(for issue: LuaConversionIssue?) -> Hint? {
        switch issue {
        case .hole: "append what there is: list[#list + 1] = value; workflow.null keeps a place"
        case .nan, .infinity: "look at the divisor before the division"
        case .mixed, .index, .floatKey, .keyType:
            "make it a list, or a record with names; tostring(key) is a name"
        case .cycle: "name the other part by its id"
        case .metatable: "write workflow.plain(value), which copies it without metatables"
        case .text, .keyText: "keep bytes as numbers, or as text in base64"
        case .depth, .count, .size: "keep less in it, or divide it among children"
        case .type(let type): "leave the \(type.name) out; tostring gives its text"
        case .inside, nil: nil
        }
    }
}

extension FlowError.Code {
    fileprivate init(_ code: LuaError.Code) {
        switch code {
        case .syntax: self = .syntax
        case .runtime: self = .lua
        case .conversion: self = .notPlain
        case .timeLimit: self = .timeLimit
        case .instructionLimit: self = .instructionLimit
        case .memoryLimit: self = .memoryLimit
        case .depth: self = .depth
        case .printLimit: self = .logLimit
        case .interrupted: self = .interrupted
        case .processEnded: self = .processEnded
        case .sourceTooLong: self = .sourceLimit
        case .host, .invalidUse: self = .host
        }
    }
}

extension FlowError.Location {
    package init(_ location: LuaLocation) {
        self.init(file: location.chunk, line: location.line)
    }
}

extension FlowError.Frame {
    init(_ frame: LuaFrame) {
        self.init(location: FlowError.Location(frame.location), function: frame.function)
    }
}

/// Runs calls into Lua, and converts their errors to flow errors.
func lua<T>(_ body: () throws(LuaError) -> T) throws(FlowError) -> T {
    do {
        return try body()
    } catch {
        throw FlowError(error)
    }
}

extension LuaError {
    /// Makes an error that is raised in Lua and comes out of it unchanged.
    package init(raising error: FlowError, location: LuaLocation? = nil) {
        self.init(.host, error.message, location: location)
        underlying = error
    }
}
