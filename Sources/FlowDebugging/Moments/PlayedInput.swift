package import WorkflowKit

/// An input of a session, from which its calls can be played again.
package struct PlayedInput: Sendable {
    /// The input; `nil` for the beginning, which makes and renders the initial states.
    package var input: FlowInput?
    /// The step of the timeline that it followed.
    package var after: Int
    /// Whether it became a step; a failed input does not.
    package var isStep: Bool
    /// Whether something outside the flow stopped it, such as a time limit.
    package var isCut: Bool
    /// True if the session is still dealing with it.
    var isUnderWay = false

    package init(_ input: FlowInput?, after: Int, isStep: Bool, isCut: Bool = false) {
        self.input = input
        self.after = after
        self.isStep = isStep
        self.isCut = isCut
    }

    /// Whether it became a step and was not cut short.
    var isWhole: Bool { isStep && !isCut }

    /// The number of the step that it led to, or would have led to.
    package var step: Int { input == nil ? 0 : after + 1 }
}
