public import PlainValue
import Workflow
public import WorkflowLua

extension FlowSession {
    /// The last good rendering; `null` after ``close(within:)``.
    public var rendering: Value { player.rendering }

    /// The last good rendering as a type of your own.
    ///
    /// - Throws: `DecodingError` if it has another shape.
    public func rendering<T: Decodable>(as type: T.Type) throws -> T {
        try ValueDecoder().decode(type, from: rendering)
    }

    /// The name of the flow.
    public var name: String { player.flow?.name ?? "" }

    /// The types of action that the root knows, sorted; empty if one function takes them all.
    public var actionTypes: [String] { player.flow?.actionTypes ?? [] }

    /// Sixteen digits that change with the text of any of the flow's files; empty after ``close(within:)``.
    public var hash: String { player.flow?.hash ?? "" }

    /// The props of the root.
    public var props: Value { player.props }

    /// The state of the node at `path`, by default of the root; `nil` if there is no such scripted node.
    public func state(of path: String? = nil) -> Value? {
        guard let path else { return player.state() }
        return NodePath(path).flatMap { player.state(of: $0) }
    }

    /// The tree with all that it holds; `nil` after ``close(within:)``.
    public func nodes() -> FlowNode? { player.nodes() }

    /// The plain value of a Lua expression, such as `{ type = "add", text = "milk" }`.
    ///
    /// It sees the libraries of the sandbox, and read-only `rendering`, `props`, `state` (of the root), besides the values
    /// that are given; it can change nothing.
    public func value(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> Value {
        try player.value(of: expression, where: names)
    }

    /// Whether the flow's ``allows(_:_:)`` has to be asked.
    package var asksForAccess: Bool { player.flow?.asksForAccess ?? false }

    /// Whether the flow lets somebody do something, by the function `access` of its root; without one it lets everybody
    /// do everything.
    ///
    /// The function sees the state and the props of the root as they are shown, and can change nothing.
    ///
    /// - Parameters:
    ///   - principal: Who it is, such as `{ "name": "ann" }`.
    ///   - what: What they want to do, such as `{ "do": "send", "action": { "type": "add" } }` or `{ "do": "read" }`.
    /// - Throws: The `FlowError` of a function that fails or returns no boolean, which is an event too; whoever asked is
    ///   not to be let through then.
    public func allows(_ principal: Value, _ what: Value) throws(FlowError) -> Bool {
        try player.allows(principal, what)
    }

    /// The session as it is now, for going on from there later.
    ///
    /// - Throws: A `FlowError` if the session is closed, or a native node has a state that cannot be kept.
    public func snapshot() throws(FlowError) -> FlowSnapshot {
        do throws(FlowError) { return try player.makeSnapshot() } catch {
            throw player.reported(error)
        }
    }

    /// Whether going on from a ``snapshot()`` would be the same as going on here: not after a pass that failed.
    package var isWhole: Bool { player.isWhole }

    /// Whether the snapshot that it went on from was made by other files of the flow.
    package var hasOtherFiles: Bool { player.hasOtherFiles }

    /// The id of the process that runs the flow's scripts; `nil` if there is none.
    package var processID: Int32? { player.flow?.processID }

    /// What is not to be seen of it.
    package var secrets: SecretTexts { log.secrets }

    // MARK: Following

    /// The events from now on, each with all its fields; none is lost, however slow the reader. Ends with the session.
    public var events: AsyncStream<FlowEvent> { log.makeStream() }

    /// The renderings, beginning with the current one. A reader that is slow misses those between.
    public var renderings: some AsyncSequence<Value, Never> & Sendable {
        let (stream, end) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        end.yield(rendering)
        let events = log.makeStream()
        let task = Task {
            for await event in events {
                if case .rendering(let rendering, _, _) = event.kind { end.yield(rendering) }
            }
            end.finish()
        }
        end.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The outputs of the root from now on; none is lost, however slow the reader. Ends with the session.
    public var outputs: some AsyncSequence<Value, Never> & Sendable {
        log.makeStream().compactMap { event in
            if case .output(let output) = event.kind { output } else { nil }
        }
    }

    /// The outputs of the root since this was last called.
    ///
    /// Of outputs that nobody takes the latest are kept, about 64 MB, and always those of the last input; ``outputs`` and
    /// events lose none.
    public func takeOutputs() -> [Value] { player.takeOutputs() }
}
