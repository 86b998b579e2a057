extension RenderContext {
    /// Declares a side effect, which runs as long as passes declare its key.
    ///
    /// `action` is called once, after the pass that first declared `key` is complete, in the order
    /// of declaration. It may send to sinks at once. A pass that fails starts nothing.
    ///
    /// ```swift
    /// context.runSideEffect(key: state.text) { lifetime in
    ///     let saving = Task { try await save(state.text) }
    ///     lifetime.onEnded { saving.cancel() }
    /// }
    /// ```
    ///
    /// - Important: A second declaration of a key in one render is reported and ignored.
    /// - Parameters:
    ///   - key: The identity of the side effect within its node. Keys of two types differ.
    ///   - action: Starts the work; its lifetime says when to stop.
    @inlinable
    public func runSideEffect(
        key: some Hashable, file: StaticString = #fileID, line: UInt = #line,
        action: @escaping (Lifetime) -> Void
    ) {
        guard node.isRendering else { return reportLateUse() }
        let site = CallSite(file: file, line: line)
        if node.isPlain {
            declare(key, at: site, action)
        } else {
            declareSeen(key, at: site, action)
        }
    }

    @usableFromInline
    func declareSeen(
        _ key: some Hashable, at site: CallSite, _ action: @escaping (Lifetime) -> Void
    ) {
        if let replay = node.tree.replay { return replay.recordEffect(AnyHashable(key)) }
        guard let instruments = node.tree.instruments, !instruments.interceptors.isEmpty else {
            return declare(key, at: site, action)
        }
        var isDeclared = false
        instruments.runSideEffect(key: AnyHashable(key), node: node.identity) {
            if isDeclared {
                return node.tree.report(.proceededTwice(node.path, step: "runSideEffect"))
            }
            isDeclared = true
            declare(key, at: site, action)
        }
    }

    @inlinable
    func declare(
        _ key: some Hashable, at site: CallSite, _ action: @escaping (Lifetime) -> Void
    ) {
        let effects = node.effects ?? NodeEffects()
        node.effects = effects
        let clash = effects.declare(key, pass: node.tree.pass, site: site, start: action)
        if let clash { reportClash("\(key)", clash, site) }
    }

    @usableFromInline
    func reportClash(_ key: String, _ first: CallSite, _ second: CallSite) {
        node.tree.report(
            .duplicateSideEffect(
                node.path, key: key, first: first.description, second: second.description))
    }
}
