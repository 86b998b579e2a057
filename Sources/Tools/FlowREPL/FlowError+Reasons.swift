import FlowProtocol
import WorkflowKit
package import WorkflowLua

extension FlowError.Reason {
    // MARK: Commands

    static let unknownCommand = Self(.badAction, "there is no command '.%0'%1")
        .help(".help lists all commands")
    static let ambiguousCommand = Self(.badAction, "'.%0' could be %1")
    static let superfluous = Self(.badAction, ".%0 takes nothing after it")
    static let noStepNumber = Self(.badAction, ".%0 takes the number of a step")
        .help(".timeline shows the steps")
    static let noStepCount = Self(.badAction, "%0 takes a number of steps%1")
        .help("write %0 2; .goto takes the number of a step")
    static let noFilePath = Self(.badAction, ".%0 takes the path of a file").help("write .%0 FILE")
    static let noSteps = Self(.badAction, ".diff takes one step or two")
    static let badReload = Self(.badAction, ".reload takes nothing after it, or replay")
        .help(".help reload says what that does")
    static let badTestName = Self(.badAction, ".test takes a name of letters, digits, '-' and '_'")
        .help("write .test pays, which makes pays_test.lua")
    static let badPoint = Self(.badAction, ".log takes a line and a text")
        .help("write .log todo.lua:31: {item.id}; a breakpoint with a message logs from now on")
    static let noPointNumber = Self(
        .badAction, ".log off takes the number of a line that is logged"
    ).help(".log shows them")
    static let notInDebugger = Self(.badAction, ".%0 is not for the console of a debugger")
        .help(".help lists what is; the REPL over a recording has all commands")
    static let onlyInREPL = Self(.badAction, ".%0 is a command of the REPL")
        .help("explore the flow with workflow-run repl flow.lua; .help shows what a run takes")
    static let noErrorYet = Self(.misuse, "there was no error so far")
    static let existingFile = Self(.file, "there is a file %0 already")
        .help("choose another name, or remove it")

    // MARK: Lines

    package static let lineWithoutText = Self(.badAction, "the line is not UTF-8 text")
    static let unfinishedLine = Self(.badAction, "the input ends within: %0")
    static let noExpression = Self(.badAction, "there is no expression after '='")
        .help("write = state, = #rendering.items, or any other Lua expression")
    static let takenName = Self(.badAction, "'%0' has a meaning already")
        .help("choose another name")
    static let noJSON = Self(.badAction, "the action is not JSON: %0")
        .help("write {\"type\": \"add\", \"text\": \"milk\"} or add{ text = \"milk\" }")
    static let noSink = Self(.badAction, "the rendering has no sink '%0'%1")
        .help("see .actions for all that can be sent")
    static let noNumber = Self(.badAction, "there is no action with the number %0")
        .help("type a number from 1 to %1, or an action")
    static let noNumbers = noNumber.help("write an action, such as add{ text = \"milk\" }")
    static let noNames = Self(.badAction, "fields have names: write { text = \"milk\" }")
    static let moreThanAction = Self(.badAction, "there is more behind the action: %0")
        .help("write one action a line")
    static let undefinedAction = Self(.unknownAction, "%0 has no action '%1'").help("%2")
    static let noAction = Self(.badAction, "not an action: %0")
        .help("write add, add{ text = \"milk\" } or {\"type\": \"add\", \"text\": \"milk\"}")
    static let questionMark = noAction.help(".help shows what can be typed")

    // MARK: What there is

    static let nothingThere = Self(.badAction, "the rendering has nothing at '%0'%1").help("%2")
    static let absent = Self(.badAction, "the rendering has nothing at '%0'")
        .help(".why not %0 says what keeps it out; .rendering shows what there is")
    static let present = Self(.badAction, "%0 is in the rendering")
        .help(".why %0 says where it comes from")
    static let severalNodes = Self(.unknownNode, "%0 nodes are called '%1'")
        .help("write the path of one: %2")
    static let noNode = Self(.unknownNode, "there is no node '%0'%1").help(".tree shows the nodes")
    static let noWorker = Self(.unknownWorker, "no node declares a worker '%0'%1")
        .help(".workers shows them")

    // MARK: Steps

    static let noActionToUndo = Self(.misuse, "there is nothing to undo: no action was sent")
        .help(".undo goes one step back, whoever brought it")
    static let tooFew = Self(.misuse, "there %0 to %1")
    static let lastStep = nothingToGiveUp.help("go back first, by .undo or .goto n")
    static let isPast = Self(.misuse, "what has been cannot be changed")

    // MARK: Tests and recordings

    static let attachedLater = Self(
        .misuse, "a test plays a session from its start, and this one was attached to later"
    ).help(".save FILE keeps what came since; workflow-run replay FILE plays it")
    static let noFileOfFlow = Self(.misuse, "the flow is in no file that a test could name")
        .help("start with a file: workflow-run repl flow.lua")
    static let restored = testOfSnapshot.help("start without --restore, and .test again")
    static let unrecorded = Self(.recording, "the session could not be recorded")
        .help("there was no room for a temporary file; start with --record FILE")
    static let fullDisk = Self(.recording, "the session could not be recorded: %0")
        .help("make room in the folder for temporary files, or start with --record FILE")
    static let unreadableRecording = Self(.recording, "the recording of the session cannot be read")
    static let unkeptState = Self(
        .recording, "the session has a state that cannot be kept, so that nothing goes on from it"
    ).help("make the states of native workflows Codable")
    static let unplayable = Self(
        .recording, "what came since you attached cannot be played again: %0"
    ).help("detach, attach again, and .save what comes then")
    static let attached = Self(.misuse, "an attached session plays the flow of its program")
        .help("open another with workflow-run repl %0")
    static let unreadableFile = Self(.file, "there is no file %0 that can be read")
        .help("give the path of a flow, or of a recording")
    static let noFileInRecording = Self(
        .recording, "the recording does not say which file its flow is in"
    ).help("workflow-run replay %0 --flow FILE plays it")

    // MARK: Sessions of other programs

    static let otherProcess = Self(.misuse, "a frame of another process cannot be looked at")
    static let noSnapshot = Self(.connection, "the program has sent no snapshot")
    static let noAnswer = Self(.connection, "the program has sent no answer that can be read")
    static let endedAtOnce = Self(.connection, "the program at %0 has ended the connection at once")
    static let ended = Self(.connection, "the session has ended")
    static let busy = Self(.interrupted, "the session has not answered yet: it is still busy")
    static let missingSocket = Self(.file, "there is no socket %0")
        .help(
            """
            start a flow with workflow-run flow.lua --listen %0, or let a program call \
            session.listen(at:)
            """
        )
    static let notASocket = Self(.file, "%0 is not a socket")
        .help("give the path that a session listens at; a flow is played by workflow-run %0")
    static let deadSocket = Self(
        .connection, "nobody listens at %0: the program that made it has ended"
    ).help("start the program again; it replaces the file")
    static let unreachable = Self(.file, "%0 cannot be reached: %1")
    static let forbidden = unreachable.help("attach as the user that runs its program")
}
