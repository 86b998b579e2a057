import PlainValue

/// The requests that end the current work before they are handled in their turn.
struct HurriedRequests {
    /// The work that a request ends as soon as it comes.
    struct Effect {
        var endsWork = false
        /// True if it ends the running command of the console.
        var endsCommand = false
    }

    private var waiting: [DebugRequest] = []
    /// The number of the request that is being handled.
    private var current = 0
    /// The commands of the console that run or wait for their turn, by number.
    private var commands: [Int: DebugRequest] = [:]
    /// The number of the command that runs.
    private var running: Int?
    /// The commands that the client no longer wants, and that will not run.
    private var cancelled: [Int: DebugRequest] = [:]

    mutating func add(_ request: DebugRequest) -> Effect {
        guard ["pause", "disconnect", "terminate", "cancel"].contains(request.command) else {
            return Effect()
        }
        waiting.append(request)
        if let number = request.cancelled, let command = commands[number] {
            if running == number { return Effect(endsCommand: true) }
            cancelled[number] = command
            return Effect()
        }
        return Effect(endsWork: ends(request), endsCommand: ends(request))
    }

    /// Marks a request as being handled; all requests before it have been.
    mutating func begin(_ request: DebugRequest) {
        current = request.number
        if let index = waiting.firstIndex(where: { $0.number == request.number }) {
            waiting.removeFirst(index + 1)
        }
    }

    // MARK: Commands of the console

    var hasCommands: Bool { !commands.isEmpty }

    /// Takes a command, which waits for its turn beside the other requests.
    mutating func add(command: DebugRequest) {
        commands[command.number] = command
        current = 0
        if waiting.contains(where: { $0.cancelled == command.number }) {
            cancelled[command.number] = command
        }
    }

    /// Begins a command; false if the client no longer wants it.
    mutating func run(command: DebugRequest) -> Bool {
        guard commands[command.number] != nil, cancelled[command.number] == nil else {
            return false
        }
        assert(running == nil, "two commands of the console run at once")
        running = command.number
        return true
    }

    mutating func end(command: DebugRequest) {
        commands[command.number] = nil
        if running == command.number { running = nil }
    }

    /// Takes the command that a request cancels, if it will not run.
    mutating func takeCancelled(by request: DebugRequest) -> DebugRequest? {
        guard let number = request.cancelled, let command = cancelled.removeValue(forKey: number)
        else { return nil }
        commands[number] = nil
        return command
    }

    // MARK: What is to end

    var endWork: Bool { waiting.contains(where: ends) }

    /// True if even the opening of a session must end, which a pause does not end.
    var endOpening: Bool { waiting.contains { ends($0) && !$0.isPause } }

    /// True if a request ends the current work. A cancellation ends only the request that it names.
    private func ends(_ request: DebugRequest) -> Bool {
        request.cancelled.map { $0 == current } ?? true
    }
}

extension DebugRequest {
    var isPause: Bool { command == "pause" }

    /// The number of the request that this one cancels.
    fileprivate var cancelled: Int? {
        command == "cancel" ? arguments["requestId"]?.natural : nil
    }
}
