public import PlainValue
import WorkflowKit
public import WorkflowLua

/// The result of exploring a flow.
///
/// ```swift
/// let seen = try FlowExplorer(.file(tea), options: options).explore()
/// for finding in seen.findings {
///     print(finding.kind, finding.steps.map(\.title))
/// }
/// ```
public struct FlowExploration: Sendable {
    /// A state of the flow.
    public struct State: Sendable {
        /// The state of the root.
        public var state: Value
        /// The rendering.
        public var rendering: Value
        /// The shortest way to the state.
        public var steps: [ExploredStep]
        /// True if the way ends with an output of the root, which would end a run.
        public var isEnd: Bool
        /// True if the flow may stay there, by `final = true` in the rendering or one of
        /// ``FlowExplorationOptions/ends``.
        public var isFinal = false
        /// True if it is beyond ``FlowExplorationOptions/within``, so that it was not followed.
        public var isBeyond = false
    }

    /// A step from one state to another.
    public struct Transition: Sendable {
        /// The index of the state before the step.
        public var from: Int
        /// The index of the state after the step.
        public var to: Int
        /// The step.
        public var step: ExploredStep
    }

    /// A finding.
    public struct Finding: Sendable {
        /// The kind of the finding.
        public var kind: Kind
        /// The shortest way to it. For an error the last step is the one that fails.
        public var steps: [ExploredStep]

        /// The kinds of findings.
        public enum Kind: Sendable {
            /// The flow fails.
            case error(FlowError)
            /// No step changes the state. The flow refused these, which other fields might help.
            case deadEnd(refused: [Refusal])
            /// An expression of ``FlowExplorationOptions/never`` is true.
            case broken(never: String)
            /// An expression of ``FlowExplorationOptions/eventually`` never becomes true on the
            /// way, which repeats its steps from an index for ever; `nil` if it ends.
            case missed(eventually: String, again: Int?)
            /// An expression of ``FlowExplorationOptions/reachable`` is true in no state that was
            /// seen. The finding has no steps.
            case unreachable(String)
        }
    }

    /// An action that the flow refused with an error of its own.
    public struct Refusal: Sendable {
        /// The action.
        public var action: Value
        /// The message of the error.
        public var message: String
        /// The action in words: `add { text = "milk" }`.
        public var title: String { action.actionText }
    }

    /// The reason why exploring ended early.
    public enum Limit: Sendable, Hashable {
        /// The maximum of states was reached.
        case states
        /// More steps would lead to more states.
        case depth
        /// The maximum time was reached.
        case time
        /// The memory limit was reached; see ``FlowExplorationOptions/maximumMemory``.
        case memory
    }

    /// The name of the flow.
    public var flow: String
    /// The states in the order of discovery; the first is the beginning.
    public var states: [State] = []
    /// The steps that changed the state, in the order in which they were tried.
    public var transitions: [Transition] = []
    /// The shortest ways to states in which the expressions of
    /// ``FlowExplorationOptions/reachable`` are true.
    public var reached: [(expression: String, steps: [ExploredStep])] = []
    /// The number of random walks, which are made only after a limit ended the search.
    public var walks = 0
    /// The findings, shortest way first.
    public var findings: [Finding] = []
    /// Actions of types that were refused in every state in which they were tried.
    public var refusals: [Refusal] = []
    /// The names of the fields that were sent, by action type.
    public var sentFields: [String: Set<String>] = [:]
    /// The places of ``FlowExplorationOptions/sinks`` at which no sink was seen.
    public var unmatchedSinks: [ValuePath] = []
    /// The workers that ran without a known behavior.
    public var idleWorkers: [String] = []
    /// The workers with a known behavior that never ran, each with a similar name.
    public var missingWorkers: [(name: String, near: String?)] = []
    /// The limit that ended exploring; `nil` if all states were seen.
    public var limit: Limit?
}
