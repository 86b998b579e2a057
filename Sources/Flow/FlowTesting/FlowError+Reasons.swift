import WorkflowLua

// Causes of errors of tests, and of failures.
extension FlowError.Reason {
    // MARK: Tests

    static let otherTests = Self(.misuse, "the file has other tests than before")
    static let tooManyBytes = Self(
        .misuse, "the flows of the test keep more than %0 MB of states and renderings"
    ).help("do less in one test, or with smaller states")
    static let noSink = Self(.badAction, "not a sink of a rendering: %0")
    static let playedByFlow = Self(.misuse, "a flow cannot be played by a flow, only by a test")
    static let badPrincipal = Self(
        .misuse, "a principal has a name, and may have claims and scopes"
    ).help("write { name = \"ann\", claims = { role = \"editor\" } }")
    static let outsideTest = Self(.misuse, "workflow.test works in tests only")
        .help("call it in it(…) or before_each(…), so that each test has a flow of its own")
    static let tooManyFlows = Self(.misuse, "a test has at most %0 flows")
        .help("make one flow and go on with it, or write more tests")
    static let noDefinition = Self(
        .misuse, "workflow.test needs a definition, or the name of its module"
    ).help("write workflow.test(require \"checkout\", { … })")
    static let tooManyOptions = Self(
        .misuse, "the options of workflow.test have more than 64 fields"
    ).help(options)
    static let badOptions = Self(.misuse, "the options of workflow.test must be a table with names")
        .help(options)
    static let unknownOption = Self(
        .misuse,
        "workflow.test has the options native, a table of definitions, and principal, a name"
    ).help(options)
    static let noStandIn = Self(.misuse, "what stands in for a native workflow is a definition")
        .help(options)
    static let noRecord = Self(.misuse, "%0 must be a table with names, not %1")
    private static let options: FlowError.Hint =
        "write { native = { clock = { render = function() … end } } }"

    // MARK: Failures

    static let unexpectedOutput = Self(
        .expectation, "the flow gave an output that the test does not expect"
    ).help(expectIt)
    static let unexpectedOutputs = Self(
        .expectation, "the flow gave %0 outputs that the test does not expect"
    ).help(expectIt)
    private static let expectIt: FlowError.Hint =
        "expect it: flow:expect_output(…), or do not mind: flow:loosely()"
    static let unmentionedTimer = Self(.expectation, "%0 that the test does not mention: %1")
        .help("let time pass: flow:advance(%2), or do not mind: flow:loosely()")
    static let unmentionedWorker = unmentionedTimer.help(
        "play its part: flow:worker(%2), or do not mind: flow:loosely()")
    static let endOfClock = Self(.expectation, "the clock of a test ends with the year 9999")
        .help("advance by less time")
    static let tooManyTicks = Self(
        .expectation, "the clock ticked more than %0 times in one advance"
    ).help("advance by less time")
    static let notRunning = Self(.expectation, "no worker '%0' runs%1").help("%2")
    static let severalWorkers = Self(.expectation, "%0 workers '%1' run")
        .help("say which: flow:worker(\"%1\", key), or { key = …, node = … }; %2")
    static let endedWorker = Self(.expectation, "the worker '%0' does not run any more")
    static let badOutput = Self(.expectation, "%0, as an output")
    static let otherValue = Self(.expectation, "%0 is not as expected")
    static let noFailure = Self(.expectation, "the function did not fail")
    static let otherFailure = Self(.expectation, "the function failed in another way")
    static let noScriptedNode = Self(.expectation, "there is no scripted node '%0'")
        .help("the tree has %1")
    static let noOutput = Self(.expectation, "the flow gave no output")
    static let anOutput = Self(.expectation, "the flow gave an output")
    static let aWorker = Self(.expectation, "a worker runs: %0")
    static let nothingFailed = Self(.expectation, "nothing failed")
    static let noExpectation = Self(.expectation, "this expects nothing of its value")
        .help("write expect(value):equals(…), :matches(…) or :fails(…)")
    static let noGolden = Self(.expectation, "there is no golden rendering '%0'")
        .help(.init("look at the rendering, and write it with ", .goldens))
    static let otherGolden = Self(.expectation, "the rendering is not the golden one, '%0'")
        .help(.init("if it is meant, write it anew with ", .goldens))
    static let noJSON = Self(.expectation, "%0 is not JSON: %1")
}
