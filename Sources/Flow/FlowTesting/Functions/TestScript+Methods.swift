import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

// How methods in Lua find what they are of.
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

    /// A method of a flow.
    ///
    /// - Parameter toleratesErrors: Whether it may be called while an error of the flow is not asked for yet.
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

    /// A method of a worker, which gives the worker again, so that calls can be chained.
    func workerMethod(
        _ name: String, _ body: @escaping WorkerMethod
    ) throws(LuaError) -> LuaReference {
        try function(name) { script, call in
            guard case .worker(let flow, let known)? = script.subject(of: call) else {
                throw Self.notCalledOn("worker", call)
            }
            try flow.checkErrors()
            guard let worker = flow.mention(at: known.path) else {
                throw FlowTestFailure("the worker '\(known.title)' does not run any more")
            }
            flow.stepLocation = call.callerLocation.map(FlowError.Location.init)
            try body(flow, worker, call)
            try script.show(flow)
            return .reference(try call.reference(at: 1))
        }
    }

    /// A method of what `expect` gives.
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

    /// Lets Lua see what the flow shows now.
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
