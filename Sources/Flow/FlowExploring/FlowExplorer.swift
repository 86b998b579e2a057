public import WorkflowKit
public import WorkflowLua

/// Explores a flow: tries every possible step in each state, breadth first.
///
/// ```swift
/// let seen = try FlowExplorer(.file("checkout.lua")).explore()
/// for finding in seen.findings { print(finding.kind, finding.steps.map(\.title)) }
/// ```
///
/// It tries the actions of the sinks in the rendering, those of the options, the root's actions
/// without fields, and the behaviors of workers in the options. States are distinguished by their
/// values. The time begins at 0 and passes when a worker of the plugin `clock` is due. Of two that
/// wait, the one that began no later and takes no longer is due first.
public struct FlowExplorer: Sendable {
    /// The flow.
    public var source: FlowSource
    /// The settings.
    public var options: FlowExplorationOptions

    /// Makes an explorer. Nothing is read before ``explore()``.
    ///
    /// ```swift
    /// let explorer = FlowExplorer(
    ///     .file("tea.lua"), options: FlowExplorationOptions(never: ["state.cups > 2"]))
    /// ```
    public init(_ source: FlowSource, options: FlowExplorationOptions = FlowExplorationOptions()) {
        self.source = source
        self.options = options
    }

    /// Explores the flow.
    ///
    /// ```swift
    /// let seen = try explorer.explore()
    /// print(seen.states.count, seen.limit.map { "ended by \($0)" } ?? "all were seen")
    /// ```
    ///
    /// - Important: It blocks the caller's thread until the end. By default no time ends it.
    /// - Throws: A `FlowError` if the flow cannot be loaded or rendered for the first time, or an
    ///   expression of ``FlowExplorationOptions/never`` is invalid.
    public func explore() throws(FlowError) -> FlowExploration {
        var search = ExplorationSearch(try ExploredFlow(source, options: options), options)
        try search.run()
        return search.exploration
    }
}
