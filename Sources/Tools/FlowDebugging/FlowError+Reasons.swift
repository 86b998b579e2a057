import WorkflowLua

// Causes of errors of requests of editors, which show them to a person as sentences.
extension FlowError.Reason {
    // MARK: Sessions

    static let noSession = Self(.misuse, "There is nothing to debug yet: launch or attach first.")
    static let hasSession = Self(.misuse, "There is a session already.")
    static let notStopped = Self(
        .misuse, "The session is not stopped: pause it, or set a breakpoint.")
    static let onlyForwards = Self(.misuse, "A test is played from its beginning: launch it again.")
    static let noStepToShow = Self(.misuse, "There is no step %0.")
    static let noActions = Self(.misuse, "a recording takes no actions")
        .help("open the flow itself, or send it to workflow-run repl and the recording")

    // MARK: Requests

    static let unknownRequest = Self(
        .misuse, "'%0' is not among the requests that this debugger knows.")
    static let notNatural = Self(.misuse, "'%0' must be a whole number from 0 to 2^53, not %1.")
    static let noSource = Self(.misuse, "There is no such source.")
    static let noVariable = Self(.misuse, "There is no such variable where the session stands now.")
    static let noTarget = Self(.misuse, "There is no such target where it has stopped.")
    static let noFailure = Self(.misuse, "Nothing has failed here.")
    static let notVisible = Self(
        .misuse,
        """
        '%0' is not visible here: it is a local of another function, or one of %1 that this \
        function does not use.
        """)

    // MARK: Breakpoints

    static let noHitCondition = Self(
        .misuse, "'%0' says not which hits count; write 3, >= 3 or % 3")
    static let otherFile = Self(.misuse, "This is none of the flow's files.")
    static let otherTest = Self(
        .misuse, "Only a test that is debugged itself is stopped in: launch it.")
    static let noCode = Self(.misuse, "There is no code in this line or below.")
    static let noCodeOfFlow = Self(.misuse, "There is no code of the flow in this line or below.")
    static let runsAtLoad = Self(
        .misuse,
        "This line runs when the file is loaded, before the first step: set it in a function.")
    static let notOfTest = Self(
        .misuse, "The test '%0', which is debugged, does not run this line.")
    static let noPathOfData = Self(.misuse, "'%0' is not a path of a state or of the rendering.")
}
