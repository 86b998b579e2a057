public import WorkflowKit
public import WorkflowLua

/// Explores a flow: tries in each of its states all that can be done there, breadth first.
///
/// ```swift
/// let seen = try FlowExplorer(.file("checkout.lua")).explore()
/// for finding in seen.findings { print(finding.kind, finding.steps.map(\.title)) }
/// ```
///
/// What can be done are the actions of the sinks in the rendering, those that the options add, the root's actions without
/// fields, and what the options say that workers may do. The workers of the plugin `clock` do what they would.
/// States are told apart by their values. Time stands still at 0.
public struct FlowExplorer: Sendable {
    /// The flow.
    public var source: FlowSource
    /// Props, limits and the like.
    public var options: FlowExplorationOptions

    /// An explorer; nothing is read before ``explore()``.
    public init(
        _ source: FlowSource, options: FlowExplorationOptions = FlowExplorationOptions()
    ) {
        self.source = source
        self.options = options
    }

    /// Explores the flow on the caller's thread.
    ///
    /// - Throws: The `FlowError` that keeps the flow from loading or from rendering for the first time, or an
    ///   expression of ``FlowExplorationOptions/never`` from being understood.
    public func explore() throws(FlowError) -> FlowExploration {
        var search = ExplorationSearch(try ExploredFlow(source, options: options), options)
        try search.run()
        return search.exploration
    }
}
