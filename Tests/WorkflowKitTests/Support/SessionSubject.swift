import TestSupport
import Testing
import WorkflowKit

/// A flow that the promises about sessions are tested with, and its inputs.
protocol SessionSubject: Sendable, CustomTestStringConvertible {
    var source: FlowSource { get }

    func options(seed: UInt64) throws -> FlowOptions

    /// A random input, which may not fit the tree.
    func input(_ random: inout SeededNumbers) -> FlowInput.Kind
}

extension SessionSubject { func options() throws -> FlowOptions { try options(seed: 7) } }

let sessionSubjects: [any SessionSubject] = TreeKind.allCases + ExampleFlow.all
