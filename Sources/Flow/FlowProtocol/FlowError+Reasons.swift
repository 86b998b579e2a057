package import WorkflowLua

// Causes of errors of requests, and of the sockets that they come by.
extension FlowError.Reason {
    // MARK: Requests

    static let lineWithoutText = Self(.badRequest, "the line is not UTF-8 text")
    static let noJSON = Self(.badRequest, "the line is not JSON: %0").help(formOfRequest)
    static let longLine = Self(.badRequest, "the line is too long").help(formOfRequest)
    static let noRequest = Self(.badRequest, "a request is an object with a \"do\"")
        .help("\"do\" is one of %0")
    static let unknownRequest = Self(.badRequest, "there is no request '%0'%1")
    /// A part that a request has, and an example of one.
    static let incomplete = Self(.badRequest, "%0").help("such as %1")
    static let badField = Self(.badRequest, "\"%0\" must be %1, not %2")
    static let noValue = Self(.badRequest, "there is no value of '%0'")
        .help("\"of\" is rendering, state, props, input, worker or expression")
    static let badBy = Self(
        .badRequest, "\"by\" begins with rendering, state or props, unlike '%0'")
    static let both = Self(.badRequest, "a send has either \"%0\" or \"%1\"")
        .help("\"sink\" and \"at\" name an action of the rendering")
    static let noRight = Self(.badRequest, "there is no right %0")
        .help("the rights are view, act, travel and evaluate")
    static let noPatches = Self(.badRequest, "renderings are told whole here")
        .help("leave out \"patches\"")
    static let lacksRight = Self(.notGranted, "'%0' needs the right to %1, which was not given")
        .help("ask whoever shared the session for an address with that right")
    static let logsSecrets = Self(
        .notGranted, "lines are not logged here: some fields of the session are secret"
    ).help("ask for what the rendering and the states show")
    private static let formOfRequest: FlowError.Hint =
        "a request is an object, such as {\"id\":1,\"do\":\"send\",\"action\":\"add\"}"

    // MARK: Answers

    static let noSteps = Self(.misuse, "there are no steps %0 to %1")
        .help("steps are counted from 0 to %2")
    static let noInputOfStep = Self(.misuse, "no input led to step %0")
        .help("steps with an input are counted from 1 to %1")
    static let noWorker = Self(.unknownWorker, "there is no worker %0 in step %1")
        .help("a worker is named by \"node\", \"worker\" and \"key\"")
    static let nothingThere = Self(.misuse, "there is nothing at %0 in the %1 of step %2")
        .help("ask for the value above it")
    static let noNode = Self(.unknownNode, "there is no node '%0' in step %1")
        .help("ask for the tree of that step")
    static let noSink = Self(.badAction, "there is no sink at %0 in the rendering")
        .help("it may have changed: look at it again")
    static let otherSink = Self(.badAction, "the sink at %0 is another one than in step %1")
        .help("the rendering has changed: look at it again")
    static let noFork = Self(.misuse, "there is no fork %0")
    static let noForks = Self(.misuse, "a session is forked at its socket only")
        .help(.init("", .socket))
    static let tooManyForks = Self(.misuse, "there are %0 forks, and no more may be")
        .help("end one of them: {\"do\":\"unfork\",\"session\":2}")
    package static let testOfSnapshot = Self(
        .misuse, "the session went on from a snapshot, which a test cannot do"
    ).help("export the recording instead")

    // MARK: Sockets

    static let noSocketFolder = Self(.file, "the socket %0 cannot be made: there is no folder %1")
        .help("make the folder first")
    static let unmadeSocket = Self(.file, "the socket %0 cannot be made: %1")
    static let noThread = Self(.host, "there is no room for another thread")
    static let fileAtSocket = Self(.file, "there is a file %0 already, and it is not a socket")
        .help("choose another path, or remove the file first")
    static let unreachableSocket = Self(
        .file, "there is a socket %0 already that cannot be reached: %1"
    ).help("choose another path")
    static let takenSocket = Self(.file, "a program listens at %0 already")
        .help("attach to it with workflow-run attach %0, or choose another path")
    static let noTemporaryFolder = Self(.file, "no temporary folder can be made: %0")
        .help("set TMPDIR to a folder that can be written to")
    static let longSocketPath = Self(
        .file, "the path of the socket is too long: %0 bytes, where the system takes %1"
    ).help("choose a shorter path, such as /tmp/flow.sock")
    static let badSocketPath = Self(
        .file, "the path of the socket is empty or has a zero byte in it"
    ).help("give a path such as /tmp/flow.sock")
    static let dropped = Self(
        .connection,
        "the client was dropped: it did not read, and more than %0 KB of events waited for it"
    ).help("attach again, and read what comes")
    static let tooManyClients = Self(.connection, "%0 clients are attached, and no more may be")
        .help("detach one of them first")
    static let refusedClient = Self(.connection, "the program cannot take another client: %0")
        .help("detach a client, or let the program open more files: ulimit -n")
    static let otherUser = Self(.connection, "the session belongs to another user")
        .help("attach as the user that runs its program")
}
