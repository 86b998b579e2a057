public import PlainValue
import WorkflowKit
public import WorkflowLua

/// What was seen of a flow by trying all that can be done in each of its states.
public struct FlowExploration: Sendable {
    /// A state that was seen.
    public struct State: Sendable {
        /// The state of the root.
        public var state: Value
        /// What the flow shows there.
        public var rendering: Value
        /// The shortest way there from the beginning.
        public var steps: [ExploredStep]
        /// Whether the way there ends with an output of the root, so that a run would have ended.
        public var isEnd: Bool
    }

    /// A step from one state to another.
    public struct Transition: Sendable {
        /// The number of the state in which it was tried.
        public var from: Int
        /// The number of the state that it led to.
        public var to: Int
        /// What was done.
        public var step: ExploredStep
    }

    /// Something that is wrong.
    public struct Finding: Sendable {
        /// What is wrong.
        public var kind: Kind
        /// The shortest way there from the beginning; the last step of it is what fails for an error.
        public var steps: [ExploredStep]

        /// What can be wrong.
        public enum Kind: Sendable {
            /// The flow fails.
            case error(FlowError)
            /// Nothing that can be done changes anything; these actions are refused there, which might lead on with
            /// other fields.
            case deadEnd(refused: [Refusal])
            /// This expression is true.
            case broken(never: String)
        }
    }

    /// An action that the flow refused by an error of its own.
    public struct Refusal: Sendable {
        /// The action.
        public var action: Value
        /// What the flow said.
        public var message: String
        /// The action in words: `add { text = "milk" }`.
        public var title: String { action.actionText }
    }

    /// Why exploring ended before all was seen.
    public enum Limit: Sendable, Hashable {
        /// As many states were seen as may be.
        case states
        /// There are states that more steps would lead to.
        case depth
        /// The time was up.
        case time
        /// As much was kept as may be; see ``FlowExplorationOptions/maximumMemory``.
        case memory
    }

    /// The name of the flow.
    public var flow: String
    /// The states in the order in which they were found; the first is the beginning.
    public var states: [State] = []
    /// The steps that changed something, in the order in which they were tried.
    public var transitions: [Transition] = []
    /// What is wrong, that with the shortest way first.
    public var findings: [Finding] = []
    /// Actions of the types that were refused in each state in which they were tried.
    public var refusals: [Refusal] = []
    /// The names of the fields with which actions were sent, by their types.
    public var sentFields: [String: Set<String>] = [:]
    /// The names of workers that ran and of which nothing is known that they could do.
    public var idleWorkers: [String] = []
    /// The names of workers of which something is known, but which never ran; with the name that may be meant.
    public var missingWorkers: [(name: String, near: String?)] = []
    /// Why not all was seen; `nil` if it was.
    public var limit: Limit?
}
