import WorkflowKit

/// An input of a session, from which its calls can be played again.
struct PlayedInput: Sendable {
    /// The input; `nil` for the beginning, which makes and renders the initial states.
    var input: FlowInput?
    /// The step of the timeline that it followed.
    var after: Int
    /// True if it became a step; a failed input does not.
    var isStep: Bool
    /// True if something outside the flow stopped it, such as a time limit.
    var isCut: Bool
    /// True if the session is still dealing with it.
    var isUnderWay = false
    /// False if it is replayed from a state that is not the one it met.
    var isFromItsState = true
    /// The lines of a test that ran here, if this is no input but what the test does between two.
    var testLines: Range<Int>?

    init(_ input: FlowInput?, after: Int, isStep: Bool, isCut: Bool = false) {
        self.input = input
        self.after = after
        self.isStep = isStep
        self.isCut = isCut
    }

    /// Lines of a test, after the step that the session shows there.
    init(testLines: Range<Int>, after step: Int) {
        assert(!testLines.isEmpty)
        self.init(nil, after: step, isStep: false)
        self.testLines = testLines
    }

    /// The input in words, such as `step 3 of 8, toggle, which failed`, where 8 is `last`.
    func label(of last: Int?) -> String {
        let count = last.map { " of \($0)" } ?? ""
        if testLines != nil { return "the test, after step \(step)\(count)" }
        let end = isUnderWay ? ", which is under way" : isStep ? "" : ", which failed"
        return "step \(step)\(count), \(input.map(\.title) ?? "the beginning")\(end)"
    }

    var isWhole: Bool { isStep && !isCut }

    /// The number of the step that it led to, or would have led to; that before lines of a test.
    var step: Int { testLines != nil ? after : input == nil ? 0 : after + 1 }
}
