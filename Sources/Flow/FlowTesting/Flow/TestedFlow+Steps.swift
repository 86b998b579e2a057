import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// The steps of a test.
extension TestedFlow {
    /// Sends an action to the root, or that of a sink to its node, with fields added.
    func send(_ action: Value, with fields: Value.Record) throws(FlowError) {
        guard let sink = action["$sink"] else {
            try send(action.adding(fields), to: flow.rootPath)
            return
        }
        guard let node = sink["node"]?.string, let path = NodePath(node),
            let action = sink["action"]
        else { throw FlowError(.noSink, action.summary(maxLength: 80)) }
        try send(action.adding(fields), to: path)
    }

    private func send(_ action: Value, to path: NodePath) throws(FlowError) {
        let isRoot = path.components.count == 1
        let target = isRoot ? "" : "\(path): "
        try step(target + action.actionText) { () throws(FlowError) in
            try player.play(.action(action, node: path), by: principal)
        }
    }

    func update(props: Value) throws(FlowError) {
        try step("update(\(props.summary(maxLength: 120)))") { () throws(FlowError) in
            try player.step(props: props, by: principal)
        }
    }

    func allows(_ principal: Principal, _ what: Value) throws(FlowError) -> Bool {
        try play { () throws(FlowError) in
            try player.flow?.allows(
                principal.value, what, state: player.state(of: nil) ?? .null,
                props: player.checkpoint()?.props ?? .null) ?? false
        }
    }

    func emit(_ news: WorkerNews) throws(FlowError) {
        try step(news.stepText) { () throws(FlowError) in
            try player.play(.worker(news), by: nil)
        }
    }
}

extension Value {
    /// The action with more fields; a string becomes a record.
    fileprivate func adding(_ fields: Value.Record) -> Value {
        guard !fields.isEmpty else { return self }
        var record: Value.Record
        switch self {
        case .string: record = ["type": self]
        case .record(let known): record = known
        default: return self
        }
        for (name, value) in fields where name != "type" { record[name] = value }
        return .record(record)
    }
}
