package import WorkflowLua

// Causes of errors in sessions, recordings and snapshots.
extension FlowError.Reason {
    // MARK: Sessions

    package static let closed = Self(.misuse, "the session is closed")
    static let startedAgain = Self(.misuse, "the session has been started before")
        .help("make another session")
    package static let noPath = Self(.unknownNode, "'%0' is not the path of a node")
    package static let noTimeline = Self(.misuse, "this session keeps no timeline")
    package static let noStep = Self(.misuse, "there is no step %0")
        .help("steps are counted from 0 to %1")
    package static let nothingToUndo = Self(
        .misuse, "there is nothing to undo: this is the beginning")
    package static let nothingToRedo = Self(
        .misuse, "there is nothing to redo: this is the last step")
    package static let nothingToGiveUp = Self(
        .misuse, "there is nothing to give up: this is the last step")
    static let lostFiles = Self(
        .misuse, "step %0 cannot be replayed: the files that played it are not loaded any more"
    ).help(replayAll)
    static let lostFilesOfSteps = Self(
        .misuse,
        "steps %0 to %1 cannot be replayed: the files that played them are not loaded any more"
    ).help(replayAll)
    private static let replayAll: FlowError.Hint =
        "the flow's files were reloaded since; .reload replay plays all steps by those of now"
    static let badSink = Self(
        .badAction, "a sink has the form {\"$sink\": {\"node\": …, \"action\": {…}}}"
    ).help("send a sink of the rendering as it stands")
    static let badProps = Self(.props, "the props must be a record, not %0")
        .help("give each of them a name, as in { name = \"you\" }")
    static let noRunningWorker = Self(.unknownWorker, "'%0' runs no worker '%1' now")
    static let heldWorkers = Self(.misuse, "workers are held, as an earlier step is shown")
        .help("go to the last step first")
    static let noReplay = Self(
        .misuse, "this session keeps no timeline, so its inputs cannot be played again"
    ).help("reload it with its state")
    static let renamed = Self(.definition, "the flow is called '%0' now, and was '%1'")
        .help("give it its name again, or begin anew")
    static let busyProcesses = Self(.noProcess, "all processes for scripts are at work")
        .help("ask again later: nothing was done")
    static let badNumber = Self(.recording, "%0 must be %1, not %2")
        .help("it was damaged or changed by hand: go back to a copy of it")
    package static let badNumberOfRequest = Self(.badRequest, badNumber.sentence)

    // MARK: Recordings

    static let noRecordingFile = Self(.file, "there is no file %0")
        .help(.init("give the path of a recording, which is what ", .recording))
    package static let existingRecording = Self(.recording, "there is a file %0 already")
        .help("record into a new file, or remove this one first")
    static let endedRecording = Self(.recording, "the recording %0 ends here: %1")
        .help("what was recorded before can be replayed; the session goes on without a recording")
    static let longRecording = Self(.recording, "the recording is longer than %0 MB")
        .help(.init("record the session into a file, by ", .journal))
    static let noRecording = Self(.recording, "not a recording: %0").help(whatRecordingIs)
    static let emptyRecording = Self(.recording, "the recording is empty")
    static let lineWithoutJSON = Self(.recording, "the line is not JSON: %0")
    static let damagedLine = Self(
        .recording, "the line is damaged: its sum is not that of its text"
    ).help(takeSumAway)
    static let noBeginning = Self(
        .recording, "a recording begins with a line of the type \"ready\""
    ).help(whatRecordingIs)
    static let recordingVersion = Self(.recording, "the recording has version %0, not 1")
        .help("replay it with the version of the program that made it")
    /// A line or an input, and the fields that it does not have.
    static let lacks = Self(.recording, "%0 lacks %1")
    static let lacksProps = Self(.recording, "new props lack \"props\"")
    static let noTime = Self(.recording, "\"at\" is not a time")
    static let noInput = Self(
        .recording, "an input is neither an action, nor props, nor of a worker")
    static let tooFarBack = Self(
        .recording, "it goes back to step %0, but begins at step %1 of its session")
    static let missingInput = Self(
        .recording, "it goes to step %0, of which it does not have the input")
    static let secondRecording = Self(.recording, "another recording begins in this line")
        .help("put each into a file of its own")
    static let missingLines = Self(.recording, "%0 missing before this one").help(takeNumberAway)
    static let misplacedLine = Self(
        .recording,
        "the line does not belong here: it is number %0, and the one before is number %1"
    ).help(takeNumberAway)
    private static let whatRecordingIs = FlowError.Hint("a recording is what ", .recording)
    private static let takeNumberAway: FlowError.Hint =
        "if that is on purpose, take the \"seq\" of this line away"
    private static let takeSumAway: FlowError.Hint =
        "if it was changed on purpose, take its \"sum\" away"

    // MARK: Snapshots

    static let lostState = Self(.snapshot, "the state of %0 cannot be kept")
        .help("make the states of native workflows Codable")
    static let unfitSnapshot = Self(.snapshot, "the snapshot does not fit the flow")
        .help(.init("go on with what fits by ", .leniency))
    static let unfitSnapshotOfOtherFiles = unfitSnapshot.help(
        .init(
            "give the flow a higher version and a migrate, or go on with what fits by ",
            .leniency)
    )
    static let unplayableInput = Self(.snapshot, "input %0, %1, cannot be played again")
        .help(.init("the flow may have changed since: go on with what fits by ", .leniency))
    static let lostNode = Self(.snapshot, "%0 cannot go on: %1")
    static let snapshotWithoutJSON = Self(.snapshot, "the snapshot is not JSON: %0")
    static let damagedSnapshot = Self(
        .snapshot, "the snapshot is damaged: its sum is not that of its text"
    ).help(takeSumAway)
    static let noSnapshot = Self(.snapshot, "not a snapshot of a flow")
        .help(.init("a snapshot is what ", .snapshot))
    static let snapshotVersion = Self(.snapshot, "the snapshot has version %0, not 1")
        .help("restore it with the version of the program that made it")
    static let longFileName = Self(
        .snapshot, "\"files\" of the snapshot has a name of more than 1024 bytes")
    static let badTimeOfSnapshot = Self(.snapshot, "\"at\" of the snapshot is not a time")
    static let badRandomState = Self(.snapshot, "\"random\" of the snapshot is broken")
    static let badNode = Self(.snapshot, "'%0' in the snapshot is not the path of a node")
    static let orphan = Self(.snapshot, "the node '%0' of the snapshot has no parent in it")
    static let deepSnapshot = Self(
        .snapshot, "the nodes of the snapshot are nested more than 2,000 deep")
    static let noField = Self(.snapshot, "%0 has no \"%1\"")

    // MARK: Logged lines

    static let badCondition = Self(.lua, "the condition '%0' cannot be evaluated: %1")
    static let noPoint = Self(.misuse, "'%0' does not say where to log")
        .help("write a file, a line and what to log, such as 'todo.lua:31: {item.id}'")
    static let noCode = Self(.misuse, "there is no code in line %0 of %1 or below")
    static let noFileOfFlow = Self(.file, "the flow has no file '%0'%1").help("its files are %2")
    static let openBrace = Self(.syntax, "a brace in '%0' is not closed")
        .help("put each expression between braces, as in {item.id}")
}

extension FlowError {
    package static let closed = FlowError(.closed)

    package static func notReplayable(_ steps: ClosedRange<Int>) -> FlowError {
        FlowError(
            steps.count == 1 ? .lostFiles : .lostFilesOfSteps, steps.lowerBound, steps.upperBound)
    }
}
