import TestSupport
import Testing
import WorkflowKit

/// A flow that every promise about sessions is held to, and what may come in.
protocol SessionSubject: Sendable, CustomTestStringConvertible {
    var source: FlowSource { get }

    func options(seed: UInt64) throws -> FlowOptions

    /// An input by chance; it may fit the tree or not.
    func input(_ random: inout SeededNumbers) -> FlowInput.Kind
}

extension SessionSubject {
    func options() throws -> FlowOptions { try options(seed: 7) }
}

/// Each kind of tree, and each example flow.
let sessionSubjects: [any SessionSubject] = TreeKind.allCases + ExampleFlow.all
