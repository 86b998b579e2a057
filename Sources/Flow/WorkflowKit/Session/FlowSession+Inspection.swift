public import PlainValue
public import Workflow
public import WorkflowLua

extension FlowSession {
    /// The last good rendering; `null` after ``close(within:)``.
    public var rendering: Value { player.rendering }

    /// The last good rendering as your own type.
    ///
    /// ```swift
    /// struct Screen: Decodable { var title: String }
    /// let title = try await session.rendering(as: Screen.self).title  // 0 of 2 done
    /// ```
    ///
    /// - Throws: `DecodingError` if it has another shape.
    public func rendering<T: Decodable>(as type: T.Type) throws -> T {
        try ValueDecoder().decode(type, from: rendering)
    }

    /// The name of the flow.
    public var name: String { player.flow?.name ?? "" }

    /// The action types of the root, sorted; empty if one function handles all.
    public var actionTypes: [String] { player.flow?.actionTypes ?? [] }

    /// A hash of the flow's files, in sixteen digits; empty after ``close(within:)``.
    public var hash: String { player.flow?.hash ?? "" }

    /// The props of the root.
    public var props: Value { player.props }

    /// The state of the node at `path`, by default the root; `nil` if no scripted node is there.
    ///
    /// ```swift
    /// let items = await session.state()?["items"]
    /// let row = await session.state(of: "todo/item:1")  // { editing = false }
    /// ```
    public func state(of path: NodePath? = nil) -> Value? { player.state(of: path) }

    /// Returns the whole tree; `nil` after ``close(within:)``.
    public func nodes() -> FlowNode? { player.nodes() }

    /// Evaluates a Lua expression, such as `{ type = "add", text = "milk" }`.
    ///
    /// It can use the libraries of the sandbox, the given values, and `rendering`, `props` and the
    /// root's `state`, all read-only. It cannot change anything.
    ///
    /// ```swift
    /// let isLong = try await session.value(
    ///     of: "#rendering.rows > limit", where: [("limit", 10)])  // false
    /// ```
    ///
    /// - Throws: A `FlowError`: `misuse` for a closed session, or as `LuaFlow/value(of:where:)`.
    public func value(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> Value {
        try player.value(of: expression, where: names)
    }

    /// Evaluates a Lua expression that may have any number of values, such as a call of `pcall`.
    ///
    /// The expression sees the names of ``value(of:where:)``, and cannot change anything.
    ///
    /// ```swift
    /// let values = try await session.values(of: "string.find('milk', 'lk')")  // [3, 4]
    /// ```
    ///
    /// - Throws: As ``value(of:where:)``.
    public func values(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> [Value] {
        try player.values(of: expression, where: names)
    }

    /// True if the function `access` of the flow's root lets a principal do something, or if there
    /// is no such function.
    ///
    /// The function gets the shown state and props of the root, and cannot change anything.
    ///
    /// - Parameters:
    ///   - principal: The sender of the request.
    ///   - what: The request, such as `{ "do": "send", "action": { "type": "add" } }`.
    /// - Throws: A `FlowError`, also sent as an event, if the function fails or does not return a
    ///   boolean.
    /// - Important: Refuse the request also if this throws.
    public func allows(_ principal: Principal, _ what: Value) throws(FlowError) -> Bool {
        try player.allows(principal, what)
    }

    /// Makes a snapshot of the session, from which it can be continued later.
    ///
    /// ```swift
    /// let fork = try await FlowSession.open(.file("todo.lua"), restoring: session.snapshot())
    /// ```
    ///
    /// - Throws: A `FlowError` if the session is closed, or a native state cannot be saved.
    public func snapshot() throws(FlowError) -> FlowSnapshot {
        do throws(FlowError) { return try player.makeSnapshot() } catch {
            throw player.reported(error)
        }
    }

    /// False if a session restored from a ``snapshot()`` would differ, as after a failed pass.
    package var isWhole: Bool { player.isWhole }

    var processID: Int32? { player.flow?.processID }

    package var secrets: SecretTexts { log.secrets }

    // MARK: Following

    /// The events from now on, with all fields, until the session ends. A slow reader misses none.
    /// Each call makes a new stream.
    ///
    /// - Important: Events that are not read wait in memory. So read them until the stream ends.
    public var events: AsyncStream<FlowEvent> { log.makeStream() }

    /// The renderings, beginning with the current one. Each call makes a new stream.
    ///
    /// - Note: A slow reader misses intermediate ones.
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

    /// The outputs of the root from now on, until the session ends. A slow reader misses none. Each
    /// call makes a new stream.
    public var outputs: some AsyncSequence<Value, Never> & Sendable {
        log.makeStream().compactMap { event in
            if case .output(let output) = event.kind { output } else { nil }
        }
    }

    /// Takes the outputs of the root since the last call.
    ///
    /// ```swift
    /// try await session.send("finish")
    /// let outputs = await session.takeOutputs()  // [{ count = 2 }]
    /// ```
    ///
    /// - Important: The session keeps about 64 MB of the latest outputs that were not taken, and
    ///   always those of the last input. ``outputs`` and events lose none.
    public func takeOutputs() -> [Value] { player.takeOutputs() }
}
