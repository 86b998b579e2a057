public import PlainValue
public import Workflow
public import WorkflowKit

extension StoredSession {
    /// Sends an action to the root or to another node. When the call returns, the action is stored.
    ///
    /// ```swift
    /// let moment = try await session.send(["type": "add", "text": "milk"])
    /// print(moment.rendering["title"] ?? .null)  // "0 of 1 done"
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - path: The path of a node; by default the root.
    ///   - principal: The sender, which is kept with the input.
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    /// - Returns: The session after the action.
    /// - Throws: A `FlowError` if the action failed, or a ``StoreError``. The action then has no
    ///   effect, with two exceptions. After a `StoreError` with the code `unknown` it may be
    ///   stored. If only a `render` failed, it is stored, and ``step`` has grown.
    @discardableResult
    public func send(
        _ action: Value, to path: NodePath? = nil, by principal: String? = nil,
        key: RequestKey? = nil
    ) async throws -> SessionMoment {
        let node = path.map { "\($0)" } ?? ""
        let key = key?.of("send", action, .string(node), .string(principal ?? ""))
        return try await request(key) { try $0.send(action, to: path, by: principal) }
    }

    /// Sends a sink of a rendering, with additional fields for its action.
    ///
    /// ```swift
    /// let add = await session.rendering["add"] ?? .null
    /// try await session.send(sink: add, with: ["text": "milk"])
    /// ```
    ///
    /// - Parameters:
    ///   - sink: The sink as it stands in a rendering.
    ///   - fields: The fields to add, such as the text that a user has typed.
    ///   - principal: The sender, which is kept with the input.
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    /// - Returns: The session after the action.
    /// - Throws: As `send(_:to:by:key:)`.
    @discardableResult
    public func send(
        sink: Value, with fields: Value.Record = [:], by principal: String? = nil,
        key: RequestKey? = nil
    ) async throws -> SessionMoment {
        let key = key?.of("send_sink", sink, .record(fields), .string(principal ?? ""))
        return try await request(key) { try $0.send(sink: sink, with: fields, by: principal) }
    }

    /// Sends an action of your own type to the root or to another node.
    ///
    /// ```swift
    /// struct AddItem: FlowAction { var text: String }
    /// try await session.send(AddItem(text: "milk"))  // { type = "add_item", text = "milk" }
    /// ```
    ///
    /// - Throws: An `EncodingError`, or as `send(_:to:by:key:)`.
    @discardableResult
    public func send(
        _ action: some FlowAction, to path: NodePath? = nil, by principal: String? = nil,
        key: RequestKey? = nil
    ) async throws -> SessionMoment {
        try await send(try action.value, to: path, by: principal, key: key)
    }

    /// Changes the props of the root.
    ///
    /// ```swift
    /// try await session.update(props: ["user": "ada"])
    /// ```
    ///
    /// - Throws: As `send(_:to:by:key:)`.
    @discardableResult
    public func update(
        props: Value, by principal: String? = nil, key: RequestKey? = nil
    ) async throws -> SessionMoment {
        let key = key?.of("update", props, .string(principal ?? ""))
        return try await request(key) { try $0.update(props: props, by: principal) }
    }

    /// Plays an input as if it came from outside now.
    ///
    /// ```swift
    /// try await session.play(input.kind)  // of another session, or of a recording
    /// ```
    ///
    /// - Throws: As `send(_:to:by:key:)`.
    @discardableResult
    public func play(
        _ input: FlowInput.Kind, by principal: String? = nil
    ) async throws -> SessionMoment {
        try await request { try $0.play(input, by: principal) }
    }

    /// Reloads the flow's files and continues with the new code from a stored snapshot.
    ///
    /// ```swift
    /// let moment = try await session.reload()
    /// try await session.go(to: moment.step - 1)  // throws no_such_step
    /// ```
    ///
    /// - Important: The session cannot go back to earlier steps from then on.
    /// - Throws: A `FlowError` if the new code cannot be loaded or rendered, or a ``StoreError``.
    @discardableResult
    public func reload() async throws -> SessionMoment {
        try await call(SessionCall(nil, takesOver: true) { session, _ in try session.reload() })
    }

    /// Loads changes that others have made to the session in the store.
    ///
    /// ```swift
    /// if try await session.refresh() { print(await session.rendering) }
    /// ```
    ///
    /// - Returns: True if there were any.
    /// - Throws: A ``StoreError``, or a `FlowError` if it cannot be played until the next call.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await exclusively {
            let version = try await loaded().version
            guard try await store.summary(of: id).version != version else { return false }
            try await load()
            return true
        }
    }

    /// Starts the workers that became this host's, and plays what others have stored since.
    func takeWorkers() async throws {
        try await exclusively {
            if isClosing { return }
            let live = try await loaded()
            if live.isHeld {
                try await loadUnlessHeld(is: true)
            } else {
                try await catchUpWithOthers(live)
                // The workers may be others now.
                if let live = self.live { try await catchUp(live) }
            }
        }
    }

    /// Stops the workers if they are another host's by now.
    func yieldWorkers() async throws {
        try await exclusively {
            if let live, live.hasOwnWorkers { try await loadUnlessHeld(is: false) }
        }
    }

    /// Stops the workers that run here; see ``Suspension``. It does not wait for the call that is
    /// served, which may wait long for the store.
    func suspendWorkers() async {
        if let live, live.hasOwnWorkers { await drop() }
    }

    /// Starts the workers that were stopped or left for later, and are still this host's.
    func resumeWorkers() async {
        await exclusively {
            if isClosing || isClosed || live?.isSuspended == false { return }
            do { try await load() } catch { loadLater() }
        }
    }

    /// Loads the session again if another host's holding it is not what it was.
    private func loadUnlessHeld(is isHeld: Bool) async throws {
        guard !isClosing else { return }
        let isHeldNow = try await store.summary(of: id).holder != nil
        if isHeldNow != isHeld { try await load() }
    }

    /// Waits until no worker runs and all their outputs are stored. Does not wait while the session
    /// is at an earlier step, because workers are paused there.
    ///
    /// ```swift
    /// try await session.send(["type": "brew"])
    /// try await session.untilIdle()
    /// print(await session.rendering)  // the tea is ready
    /// ```
    ///
    /// - Warning: A worker that never ends, such as `clock.every`, is waited for without end.
    /// - Throws: A ``StoreError`` if the session is closed or cannot be loaded.
    public func untilIdle() async throws {
        while try await perform({ $0.hasRunningWorkers && !$0.isInPast }) {
            await live?.session.untilIdle()
        }
    }
}
