import LuaVM
import PlainValue
import TestSupport
import Workflow
import WorkflowLua

/// A host that plays a flow from text, and its reports.
final class FlowHost {
    let flow: LuaFlow
    let host: WorkflowHost<LuaWorkflow>
    private let reports: Reports
    private(set) var outputs: [Value] = []

    private final class Reports { var all: [WorkflowReport] = [] }

    init(
        _ source: String, modules: [String: String] = [:], props: Value = [:],
        options: LuaFlow.Options = LuaFlow.Options()
    ) throws(FlowError) {
        var options = options
        // A test that sets no limit must not reach one, even on a busy machine.
        if options.limits.timeLimit == LuaVM.Options().timeLimit {
            options.limits.timeLimit = .unreached
        }
        flow = try LuaFlow(
            source: source, name: "flow.lua", modules: FlowModules(modules), options: options)
        let reports = Reports()
        self.reports = reports
        host = WorkflowHost(
            workflow: flow.workflow(props: props),
            options: HostOptions(onReport: { reports.all.append($0) }))
        host.onOutput = { [unowned self] in outputs.append($0) }
    }

    var rendering: Value { host.rendering.value }

    var errors: [FlowError] {
        reports.all.compactMap { report in
            if case .failure(let failure) = report { failure.error as? FlowError } else { nil }
        }
    }

    @discardableResult func send(_ action: Value, to path: String? = nil) throws -> SendOutcome {
        let path = path ?? flow.name
        guard let path = NodePath(path) else { throw FlowError(.unknownNode, path) }
        return try flow.send(action, to: path, in: host)
    }

    @discardableResult func send(sink: Value?) throws -> SendOutcome {
        let target = sink?["$sink"]
        return try send(target?["action"] ?? .null, to: target?["node"]?.string)
    }
}

extension FlowError {
    /// The message, the notes and the help, without the place.
    var said: String {
        ([message] + notes.map { "note: \($0)" } + (help.map { ["help: \($0)"] } ?? []))
            .joined(separator: "\n")
    }
}
