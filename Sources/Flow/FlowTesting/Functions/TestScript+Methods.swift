import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

// The methods of objects in Lua.
extension TestScript {
    typealias FlowMethod = (TestedFlow, borrowing LuaCall) throws -> Void
    typealias WorkerMethod = (TestedFlow, WorkerRun, borrowing LuaCall) throws -> Void
    typealias ValueMethod = (TestScript, LuaReference, borrowing LuaCall) throws -> Void

    func makeObjectTypes() throws(LuaError) -> ObjectTypes {
        ObjectTypes(
            flow: try vm.makeObjectType("flow", methods: try makeFlowMethods()),
            worker: try vm.makeObjectType("worker", methods: try makeWorkerMethods()),
            value: try vm.makeObjectType("expect(…)", methods: try makeValueMethods()))
    }

    /// - Parameter toleratesErrors: Allows the call while an error of the flow is not expected yet.
    func flowMethod(
        _ name: String, toleratesErrors: Bool = false, _ body: @escaping FlowMethod
    ) throws(LuaError) -> LuaReference {
        try function(name) { script, call in
            guard case .flow(let flow)? = script.subject(of: call) else {
                throw Self.notCalledOn("flow", call)
            }
            if !toleratesErrors { try flow.checkErrors() }
            flow.stepLocation = call.callerLocation.map(FlowError.Location.init)
            try body(flow, call)
            try script.show(flow)
            return .none
        }
    }

    /// Makes a method of a worker. It returns the worker, so that calls can be chained.
    func workerMethod(
        _ name: String, _ body: @escaping WorkerMethod
    ) throws(LuaError) -> LuaReference {
        try function(name) { script, call in
            guard case .worker(let flow, let known)? = script.subject(of: call) else {
                throw Self.notCalledOn("worker", call)
            }
            try flow.checkErrors()
            guard let worker = flow.mention(at: known.path) else {
                throw FlowTestFailure(.endedWorker, known.title)
            }
            flow.stepLocation = call.callerLocation.map(FlowError.Location.init)
            try body(flow, worker, call)
            try script.show(flow)
            return .reference(try call.reference(at: 1))
        }
    }

    /// Makes a method of the object that `expect` returns.
    func valueMethod(
        _ name: String, _ body: @escaping ValueMethod
    ) throws(LuaError) -> LuaReference {
        try function(name) { script, call in
            guard case .value(let value)? = script.subject(of: call) else {
                throw Self.notCalledOn("expect(…)", call)
            }
            if let tag = call.objectTag(at: 1) { script.openExpectations[tag] = nil }
            try body(script, value, call)
            return .none
        }
    }

    func subject(of call: borrowing LuaCall) -> Subject? {
        call.objectTag(at: 1).flatMap { subjects[$0] }
    }

    static func notCalledOn(_ what: String, _ call: borrowing LuaCall) -> LuaError {
        .misuse(
            call.objectTag(at: 1) == nil
                ? "\(call.functionName) was called without what it is of"
                : "\(call.functionName) was called on something of another test",
            "\(what):\(call.functionName)(…) with a colon, in the test that made it")
    }

    /// Updates the flow's rendering and state in Lua.
    func show(_ flow: TestedFlow) throws(LuaError) {
        for (known, object) in flows where known === flow {
            try object.setField(
                "rendering",
                to: .reference(try vm.makeView(of: flow.rendering, label: "flow.rendering")))
            try object.setField(
                "state",
                to: .reference(
                    try vm.makeView(of: flow.state(of: nil) ?? .null, label: "flow.state")))
        }
    }
}
