public import PlainValue
public import Workflow
public import WorkflowLua

extension FlowSession {
    /// Sends an action to the root, or to the node at `path`.
    ///
    /// ```swift
    /// try await session.send("finish")  // an action without fields
    /// try await session.send("toggle", to: "todo/item:1", by: "ada")
    /// ```
    ///
    /// - Important: If the session shows an earlier step, it continues from there and discards the
    ///   later steps.
    /// - Parameters:
    ///   - action: The action, or only its type as a string.
    ///   - path: The path of the node; `nil` for the root.
    ///   - principal: The sender, which is kept with the input; see ``FlowInput/principal``.
    /// - Throws: The `FlowError` of the action, which is rolled back, or of its render pass.
    public func send(
        _ action: Value, to path: NodePath? = nil, by principal: String? = nil
    ) throws(FlowError) {
        try player.act(as: principal) { () throws(FlowError) in try player.send(action, to: path) }
    }

    /// Sends an action of your own type to the root, or to the node at `path`.
    ///
    /// ```swift
    /// struct Rename: FlowAction { var id: Int, text: String }
    /// try await session.send(Rename(id: 1, text: "oat milk"))
    /// ```
    ///
    /// - Throws: An `EncodingError`, or as `send(_:to:by:)`.
    public func send(
        _ action: some FlowAction, to path: NodePath? = nil, by principal: String? = nil
    ) throws {
        try send(try action.value, to: path, by: principal)
    }

    /// Sends a sink of a rendering, with fields added to its action.
    ///
    /// ```swift
    /// let add = await session.rendering["add"] ?? .null
    /// try await session.send(sink: add, with: ["text": "milk"])
    /// ```
    ///
    /// - Parameters:
    ///   - sink: A sink as it is in the rendering: a record with `$sink`.
    ///   - fields: Fields that replace those of its action, except `type`.
    ///   - principal: The sender, which is kept with the input; see ``FlowInput/principal``.
    /// - Throws: As `send(_:to:by:)`; a `FlowError` with the code `bad_action` for other values.
    public func send(
        sink: Value, with fields: Value.Record = [:], by principal: String? = nil
    ) throws(FlowError) {
        try play(try input(of: sink, with: fields), by: principal)
    }

    /// The input that results from sending an action to the node at `path`: its node and the whole
    /// action, also for an action that is only a type.
    package func input(
        of action: Value, to path: NodePath? = nil
    ) throws(FlowError) -> FlowInput.Kind {
        try player.input(of: action, to: path)
    }

    /// Reads the path of a node that somebody named; an event reports a text that is not a path.
    package func path(_ text: String?) throws(FlowError) -> NodePath? {
        guard let text else { return nil }
        guard let path = NodePath(text) else { throw player.reported(FlowError(.noPath, text)) }
        return path
    }

    /// The input that results from sending a sink.
    package func input(
        of sink: Value, with fields: Value.Record
    ) throws(FlowError) -> FlowInput.Kind {
        guard let target = sink["$sink"], let path = target["node"]?.string,
            case .record(var action)? = target["action"]
        else {
            throw player.reported(FlowError(.badSink))
        }
        for (name, value) in fields where name != "type" { action[name] = value }
        return try input(of: .record(action), to: self.path(path))
    }

    /// Gives the root new props and renders if they differ.
    ///
    /// ```swift
    /// try await session.update(props: ["guest": "Ada"])  // a step
    /// try await session.update(props: ["guest": "Ada"])  // a step, unless they are equal
    /// ```
    ///
    /// - Throws: The `FlowError` of the pass. If the root's own `changed` failed, the root keeps
    ///   its old props. Otherwise it has the new ones, and the last good rendering stays.
    public func update(props: Value, by principal: String? = nil) throws(FlowError) {
        try player.act(as: principal) { () throws(FlowError) in try player.update(props: props) }
    }

    /// Plays an input as if it came from outside now: an action, props, or a worker's event.
    ///
    /// ```swift
    /// let news = WorkerNews(
    ///     node: "weather", worker: "http.get", key: "", event: .output(["status": 200]))
    /// try await session.play(.worker(news))
    /// ```
    ///
    /// - Throws: The `FlowError` of the input; `unknown_worker` for a worker that is not declared.
    public func play(_ input: FlowInput.Kind, by principal: String? = nil) throws(FlowError) {
        try player.play(input, by: principal)
    }

    /// Replays an input with its original time and sender.
    package func play(_ input: FlowInput) throws(FlowError) { try player.play(input) }

    /// Confirms that the inputs up to a step are stored, so that workers continue if there are no
    /// later ones; see ``FlowOptions/onInput``.
    ///
    /// - Parameter step: The number of the last stored step; 0 confirms the session itself.
    public func confirm(through step: Int) { player.confirm(through: step) }

    /// Reloads the flow's files and continues with the new code.
    ///
    /// ```swift
    /// try await session.reload()  // keeps the states
    /// try await session.reload(.replayingInputs)  // plays all inputs with the new code
    /// ```
    ///
    /// - Parameter policy: The way to keep the state. Replaying the inputs needs a session with a
    ///   timeline. The shown step is shown again.
    /// - Throws: The `FlowError` if the new code does not load or render. The session then
    ///   continues unchanged with the old code.
    public func reload(_ policy: ReloadPolicy = .keepingState) throws(FlowError) {
        try player.reload(policy)
    }
}
