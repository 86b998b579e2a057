import LuaVM
import PlainValue
import WorkflowLua

// The table `workflow` of tests.
extension TestScript {
    /// The maximum number of flows of a test; each lives until the test ends.
    private static let mostFlows = 1000

    /// Makes the module `workflow` of flows with `test`, `any` and `sink` added.
    func makeLibrary() throws(LuaError) -> LuaReference {
        let table = try vm.makeRecord()
        try vm.setField("null", of: table, to: .value(.null))
        let record = try vm.makeFunction { call throws(LuaError) in
            .reference(try call.vm.makeRecord())
        }
        try vm.setField("record", of: table, to: .reference(record))
        let anything = try vm.makeView(of: .anything, label: "workflow.any")
        try vm.setField("any", of: table, to: .reference(anything))
        let sink = try function("sink") { _, call throws(LuaError) in try Self.sink(call) }
        try vm.setField("sink", of: table, to: .reference(sink))
        let test = try function("test") { script, call in
            do throws(FlowError) {
                return try script.test(call)
            } catch {
                // Outside a test, the error fails the file.
                throw script.isRunning
                    ? LuaError(raising: FlowTestFailure(error)) : LuaError(raising: error)
            }
        }
        try vm.setField("test", of: table, to: .reference(test))
        return try vm.makeView(of: table, label: "workflow")
    }

    /// `workflow.sink(type, fields)`: the expectation of a sink of any node.
    private static func sink(_ call: borrowing LuaCall) throws(LuaError) -> LuaArgument? {
        guard let type = call.string(at: 1) else {
            throw LuaError.misuse(
                "workflow.sink needs the type of an action", "workflow.sink(\"add\")")
        }
        var action = try call.record(at: 2, name: "fields")
        action["type"] = .string(type)
        return .value(["$sink": ["action": .record(action)]])
    }

    /// `workflow.test(definition_or_module, props, { native = …, principal = … })`
    private func test(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        guard isRunning else { throw FlowError(.outsideTest) }
        guard flows.count < Self.mostFlows else { throw FlowError(.tooManyFlows, Self.mostFlows) }
        try router.kept.checkRoom()
        let definition: LuaReference
        if let name = call.string(at: 1) {
            definition = try script.module(named: name)
        } else {
            guard call.type(at: 1).isTable else { throw FlowError(.noDefinition) }
            definition = try reading { () throws(LuaError) in try call.reference(at: 1) }
        }
        let flow = try script.flow(in: definition)
        let props = try reading { () throws(LuaError) in try call.record(at: 2, name: "props") }
        let (standIns, principal) = try options(of: call)
        script.restartRandom()
        let tested = try TestedFlow(
            flow, props: .record(props), script: script, router: router, options: options,
            by: principal, standIns: standIns,
            at: call.callerLocation.map(FlowError.Location.init))
        return try reading { () throws(LuaError) in
            let reply = try makeObject(.flow(tested), of: types?.flow)
            try show(tested)
            return reply
        }
    }

    /// The definitions in the option `native`, by name, and the option `principal`.
    private func options(
        of call: borrowing LuaCall
    ) throws(FlowError) -> (standIns: [String: LuaReference], principal: String?) {
        guard call.type(at: 3) != .nil else { return ([:], nil) }
        func fields(_ known: [LuaField]?) throws(FlowError) -> [LuaField] {
            if let known { return known }
            throw FlowError(.tooManyOptions)
        }
        guard call.type(at: 3).isTable else { throw FlowError(.badOptions) }
        var standIns: [String: LuaReference] = [:]
        var principal: String?
        let options = try reading { () throws(LuaError) in
            try call.fields(at: 3, upTo: 64, cuttingTextsTo: 1024)
        }
        for option in try fields(options) {
            if option.key == .name("principal"), let name = option.scalar?.string {
                principal = name
                continue
            }
            guard option.key == .name("native"), let table = option.reference,
                option.type.isTable
            else { throw FlowError(.unknownOption) }
            let definitions = try reading { () throws(LuaError) in
                try vm.fields(of: table, upTo: 64, cuttingTextsTo: 1024)
            }
            for field in try fields(definitions) {
                guard case .name(let name) = field.key, let definition = field.reference else {
                    throw FlowError(.noStandIn)
                }
                standIns[name] = definition
            }
        }
        return (standIns, principal)
    }

    /// Runs calls into Lua, and converts their errors to flow errors.
    func reading<T>(_ body: () throws(LuaError) -> T) throws(FlowError) -> T {
        do throws(LuaError) { return try body() } catch { throw script.error(error) }
    }
}

extension LuaCall {
    /// An argument that is a record; empty if it is nil.
    func record(at index: Int, name: String) throws(LuaError) -> Value.Record {
        guard type(at: index) != .nil else { return [:] }
        switch try value(at: index, root: name) {
        case .record(let record): return record
        case .list(let list) where list.isEmpty: return [:]
        default:
            let found = type(at: index).isTable ? "a list" : type(at: index).described
            throw LuaError(raising: FlowError(.noRecord, name, found))
        }
    }

    /// An argument that is a plain value other than nil.
    func given(at index: Int, _ what: String) throws(LuaError) -> Value {
        guard type(at: index) != .nil else {
            throw LuaError.misuse("\(functionName) needs \(what)")
        }
        return try value(at: index, root: functionName)
    }
}
