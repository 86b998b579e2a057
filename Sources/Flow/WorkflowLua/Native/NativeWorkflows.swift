public import PlainValue
public import Workflow

/// The native Swift workflows that flows may render by name: `context:render("clock", { … })`.
///
/// ```swift
/// var options = LuaFlow.Options()
/// options.nativeWorkflows.register("upper", props: Upper.self) { $0 }
/// ```
///
/// `Codable` converts their inputs, renderings, outputs and actions to and from plain values.
public struct NativeWorkflows {
    var entries: [String: NativeWorkflow] = [:]

    /// Makes an empty set.
    public init() {}

    /// Lets flows render a workflow that takes no actions from outside.
    ///
    /// ```swift
    /// natives.register("upper", props: [String: String].self) { props in
    ///     Upper(text: props["text"] ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in `context:render`. A later registration replaces an earlier one.
    ///   - props: The type that the flow's props are decoded into.
    ///   - make: Makes the workflow for these props. An error fails the render.
    public mutating func register<Props: Decodable, Child: Workflow>(
        _ name: String, props: Props.Type, make: @escaping (Props) throws -> Child
    ) where Child.Rendering: Encodable, Child.Output: Encodable {
        entries[name] = NativeWorkflow(
            name: name, make: { props, _ in try make(props) }, action: { _, _, _ in nil })
    }

    /// Lets flows render a workflow that also takes actions as plain values.
    ///
    /// ```swift
    /// natives.register("dial", props: Dial.self, actions: Dial.Turn.self) { $0 }
    /// _ = try flow.send(["by": 2], to: "radio/Dial", in: host)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in `context:render`. A later registration replaces an earlier one.
    ///   - props: The type that the flow's props are decoded into.
    ///   - actions: The type into which an action for the node is decoded; see
    ///     ``Workflow/RenderContext/valueSink(_:)``.
    ///   - make: Makes the workflow for these props. An error fails the render.
    public mutating func register<Props: Decodable, Child: Workflow, Action>(
        _ name: String, props: Props.Type, actions: Action.Type,
        make: @escaping (Props) throws -> Child
    )
    where
        Child.Rendering: Encodable, Child.Output: Encodable,
        Action: WorkflowAction & Decodable & Sendable, Action.WorkflowType == Child
    {
        register(name, props: props, actions: actions) { props, _ in try make(props) }
    }

    /// Lets flows render a workflow that takes plain values as actions and renders scripted nodes.
    ///
    /// ```swift
    /// natives.register("board", props: [Int].self, actions: Board.Move.self) { ids, scripts in
    ///     Board(rows: try ids.map { try scripts.workflow("row", props: ["id": .int($0)]) })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in `context:render`. A later registration replaces an earlier one.
    ///   - props: The type that the flow's props are decoded into.
    ///   - actions: The type into which an action for the node is decoded.
    ///   - make: Makes the workflow for the props. It may keep the scripts to render them.
    public mutating func register<Props: Decodable, Child: Workflow, Action>(
        _ name: String, props: Props.Type, actions: Action.Type,
        make: @escaping (Props, FlowScripts) throws -> Child
    )
    where
        Child.Rendering: Encodable, Child.Output: Encodable,
        Action: WorkflowAction & Decodable & Sendable, Action.WorkflowType == Child
    {
        entries[name] = NativeWorkflow(
            name: name, make: make,
            action: { value, path, finder in
                guard let sink = finder.sink(of: Action.self, at: path) else { return nil }
                let action = try ValueDecoder().decode(Action.self, from: value)
                return { sink.send(action) }
            })
    }
}

/// A registered native workflow, behind plain values.
struct NativeWorkflow {
    typealias OutputMap = (Value) throws -> LuaAction?

    let render:
        (RenderContext<LuaWorkflow>, FlowScripts, Value, String, @escaping OutputMap)
            throws(FlowError) -> Value
    /// Makes the send of a plain action to the node at a path; `nil` if it is of another workflow.
    let action: (Value, NodePath, any SinkFinder) throws -> (() -> SendOutcome)?

    init<Props: Decodable, Child: Workflow>(
        name: String, make: @escaping (Props, FlowScripts) throws -> Child,
        action: @escaping (Value, NodePath, any SinkFinder) throws -> (() -> SendOutcome)?
    ) where Child.Rendering: Encodable, Child.Output: Encodable {
        self.action = action
        render = { context, scripts, value, key, outputMap throws(FlowError) in
            let props: Props
            let child: Child
            do {
                props = try ValueDecoder().decode(Props.self, from: value)
            } catch {
                throw FlowError(.unfitProps, name, codingReason(error))
            }
            do {
                child = try make(props, scripts)
            } catch {
                throw FlowError(.unmadeNative, name, "\(error)")
            }
            let rendering = child.rendered(in: context, key: key) { output in
                try outputMap(try ValueEncoder().encode(output))
            }
            do {
                return try ValueEncoder().encode(rendering)
            } catch {
                throw FlowError(.unfitRendering, name, codingReason(error))
            }
        }
    }
}

/// A host, which finds the sink of a node by its path.
protocol SinkFinder {
    func sink<Action: WorkflowAction>(of type: Action.Type, at path: NodePath) -> Sink<Action>?
}

extension WorkflowHost: SinkFinder {}

extension RenderContext {
    /// Makes a sink as a plain value, like `context:sink` in Lua, for a native workflow that was
    /// registered with its action type.
    ///
    /// ```swift
    /// let rendering: Value = ["volume": 3, "louder": context.valueSink(["by": 1])]
    /// ```
    ///
    /// - Parameter action: The action, or a part of it to which the sender adds fields.
    public func valueSink(_ action: Value) -> Value {
        ["$sink": ["node": .string(path.description), "action": action]]
    }
}
