import WorkflowKit
import WorkflowLua

extension FlowError.Reason {
    // MARK: Files

    static let notReplaced = Self(.misuse, "%0: %1 is there and is not %2")
        .help("choose another name, or move the file away")
    static let sameFile = Self(.misuse, "%0 and %1 are given the same file, %2")
        .help("give each a file of its own")
    static let existingFlow = Self(.file, "%0 is there already")
        .help("choose another name; what is there is never changed")
    static let existingTest = Self(.misuse, "there is a file %0 already")
        .help("write to a new file, or remove this one first")
    static let testElsewhere = Self(
        .misuse, "%0 is not in the flow's folder, so its tests could not load the flow"
    ).help("write to %1")
    static let otherTypes = Self(.file, "%0 is there and was not made by workflow-run types")
        .help("choose another folder, or move the file away")
    static let unreadableGrants = Self(.file, "--allow: the grants in %0 cannot be read: %1")
        .help("give the path of a file with a grant on each line")

    // MARK: Runs and replays

    static let timeout = Self(.timeLimit, "the run took longer than its --timeout")
    static let noStepInRecording = noStep.help("the recording has %1 steps; 0 is the beginning")
    static let noFileInRecording = Self(.file, "the recording does not say which file it is of")
        .help(nameFlow)
    static let fileOfRecordingAway = Self(.file, "the recording is of %0, which is not here")
        .help(nameFlow)
    private static let nameFlow: FlowError.Hint = "name the flow with %1"

    // MARK: Tests

    static let noTestFile = Self(.file, "there is no file or folder %0")
        .help("give the path of a test file, or of a folder to look in")
    static let noTests = Self(.file, "there are no tests: no file in %0 ends in %1")
        .help("write counter_test.lua beside counter.lua, or give another folder")
    static let noSuchTest = Self(.file, "no test has '%0' in its name")
        .help("a filter is a part of a test's name with those of its groups, as printed")
    static let emptyTestFiles = Self(.file, "the test files define no tests")
        .help("write it(\"adds items\", function() … end)")

    // MARK: Exploration

    static let noAction = Self(.badAction, "not an action: %0")
        .help("write --action 'add{ text = \"milk\" }' or '{\"type\": \"add\"}'")
    static let outputWithoutJSON = Self(.badInput, "the output of %0 is not JSON: %1")
        .help("write --worker 'http.get={\"status\": 200}'")
    static let noWorkerName = Self(.badInput, "not the name of a worker: %0").help("write %1")
    static let noFieldSeen = Self(.badInput, "no state that was seen has a field %0%1")
        .help("give the path of a field of the rendering, or of the state as state.NAME")

    // MARK: The debugger

    static let flowElsewhere = Self(
        .file, "the session's flow is in no file that can be found from here"
    ).help("start the debugger in the folder in which the session was started")
    static let otherWay = Self(.misuse, "the session has taken another way after step %0")
        .help("start the debugger again to see it")
    static let loadedAgain = Self(.misuse, "the session has loaded its files again after step %0")
        .help("start the debugger again to see what they do")
    static let takenPort = Self(.connection, "the port %0 cannot be used: %1")
        .help("choose another one, or 0 for any that is free")
    static let noSocketToAttach = Self(.misuse, "attach needs the path of a socket")
        .help("give it as \"socket\": the one that workflow-run FLOW --listen SOCKET opens")
    static let noProgram = Self(.misuse, "launch needs a program")
        .help("give the path of a flow or of a recording as \"program\"")
    static let noTestOfFlow = Self(.misuse, "no test plays a flow of a file")
        .help("name one that does as \"test\", or debug the flow itself")
    static let nothingLoaded = Self(.file, "nothing was loaded")
    static let nothingShown = Self(
        .misuse, "the flow takes no actions, as it has failed at the beginning"
    ).help("mend it and launch it again")

    // MARK: Parts of the program

    static let pageNotInstalled = Self(.file, "the page cannot be served: %0 is not installed")
        .help("%1")
    static let pageNotLoaded = Self(.file, "the page cannot be served: %0 cannot be loaded: %1")
        .help("build and install it again, with the program")
    static let serviceNotInstalled = Self(.file, "flows cannot be served: %0 is not installed")
        .help("%1")
    static let serviceNotStarted = Self(.file, "flows cannot be served: %0 cannot be started: %1")
        .help("build and install it again, with workflow-run")
    static let noPlugin = Self(.unknownWorker, "there is no plugin or worker '%0'%1")
        .help("see workflow-run plugins, or load a plugin with --plugin")
}
