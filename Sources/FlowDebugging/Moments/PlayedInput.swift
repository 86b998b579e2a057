package import WorkflowKit

/// Something that a session was given, by which the calls that it led to can be made again.
package struct PlayedInput: Sendable {
    /// The input; `nil` is the beginning, when the states are made and rendered first.
    package var input: FlowInput?
    /// The step of the timeline that it came after.
    package var after: Int
    /// Whether it became a step; what failed did not.
    package var isStep: Bool
    /// Whether something cut it short that does not come of the flow, as a limit of time.
    package var isCut: Bool

    package init(_ input: FlowInput?, after: Int, isStep: Bool, isCut: Bool = false) {
        self.input = input
        self.after = after
        self.isStep = isStep
        self.isCut = isCut
    }

    /// Whether it became a step and nothing cut it short.
    var isWhole: Bool { isStep && !isCut }

    /// The number of the step that it led to, or would have.
    package var step: Int { input == nil ? 0 : after + 1 }
}
