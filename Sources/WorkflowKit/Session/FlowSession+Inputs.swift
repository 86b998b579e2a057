public import PlainValue
import Workflow
public import WorkflowLua

extension FlowSession {
    /// Sends an action to the root, or to the node at `path`.
    ///
    /// While an earlier step is shown, the steps after it are given up: the session goes on from there.
    ///
    /// - Parameters:
    ///   - action: The action, or its type alone as a text.
    ///   - path: The path of the node; `nil` for the root.
    ///   - principal: Who sends it; kept with the input, see ``FlowInput/principal``.
    /// - Throws: The `FlowError` that made the action, or the pass that it caused, fail. A failed action has
    ///   been rolled back.
    public func send(
        _ action: Value, to path: String? = nil, by principal: String? = nil
    ) throws(FlowError) {
        let path = try path.map { (path) throws(FlowError) in try player.path(path) }
        try player.act(as: principal) { () throws(FlowError) in
            try player.send(action, to: path)
        }
    }

    /// Sends an action to the root that is a type of your own.
    ///
    /// - Throws: An `EncodingError`, or as ``send(_:to:)``.
    public func send(_ action: some FlowAction, by principal: String? = nil) throws {
        try send(try action.value, by: principal)
    }

    /// Sends a sink as it stands in a rendering, with fields added to its action.
    ///
    /// - Throws: A `FlowError` with the code `bad_action` if `sink` is none, otherwise as ``send(_:to:)``.
    public func send(
        sink: Value, with fields: Value.Record = [:], by principal: String? = nil
    ) throws(FlowError) {
        guard let target = sink["$sink"], let path = target["node"]?.string,
            case .record(var action)? = target["action"]
        else {
            throw player.reported(
                FlowError(
                    .badAction, "a sink has the form {\"$sink\": {\"node\": …, \"action\": {…}}}",
                    help: "send a sink of the rendering as it stands"))
        }
        for (name, value) in fields where name != "type" { action[name] = value }
        try send(.record(action), to: path, by: principal)
    }

    /// Gives the root new props and renders if they differ.
    ///
    /// - Throws: The `FlowError` that made the pass fail. If that is the root's own `changed`, the root has its old props;
    ///   otherwise it has taken the new ones, and the last good rendering stays.
    public func update(props: Value, by principal: String? = nil) throws(FlowError) {
        try player.act(as: principal) { () throws(FlowError) in try player.update(props: props) }
    }

    /// Plays an input as if it had come from outside now: an action, new props, or what becomes of a worker.
    ///
    /// - Throws: The `FlowError` that made it fail; for a worker that is not declared, one with the code
    ///   `unknown_worker`.
    public func play(_ input: FlowInput.Kind, by principal: String? = nil) throws(FlowError) {
        try player.act(as: principal) { () throws(FlowError) in try player.play(input) }
    }

    /// Plays an input again as it came: at its time, and of whom it was.
    package func play(_ input: FlowInput) throws(FlowError) { try player.play(input) }

    /// Says that the inputs up to a step are kept, so that workers go on if none came since; see
    /// ``FlowOptions/onInput``.
    ///
    /// - Parameter step: The number of the last step that is kept; 0 says that the session itself is.
    public func confirm(through step: Int) { player.confirm(through: step) }

    /// Loads the flow's files again and goes on with the new code.
    ///
    /// - Parameter policy: What becomes of the state. Playing the inputs again takes a session with a timeline, and ends at
    ///   its last step.
    /// - Throws: The `FlowError` that keeps the new code from loading or rendering; the old code goes on then, as if
    ///   nothing had been asked for.
    public func reload(_ policy: ReloadPolicy = .keepingState) throws(FlowError) {
        try player.reload(policy)
    }
}
