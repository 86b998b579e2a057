import PlainValue

/// The requests that have come and are to end what is being done before they are handled in their turn.
struct HurriedRequests {
    private var waiting: [DebugRequest] = []
    /// The number of the request that is being dealt with.
    private var current = 0
    /// The numbers of the commands of the console that are answered beside the other requests.
    private(set) var commands: Set<Int> = []

    /// Takes a request that has come.
    ///
    /// - Returns: Whether it ends what is being done.
    mutating func add(_ request: DebugRequest) -> Bool {
        guard ["pause", "disconnect", "terminate", "cancel"].contains(request.command) else {
            return false
        }
        waiting.append(request)
        return ends(request)
    }

    /// Says that a request is dealt with from now on, as all that came before it were.
    mutating func begin(_ request: DebugRequest) {
        current = request.number
        if let index = waiting.firstIndex(where: { $0.number == request.number }) {
            waiting.removeFirst(index + 1)
        }
    }

    /// Notes the beginning or the end of a command of the console.
    mutating func set(_ command: DebugRequest, isUnderWay: Bool) {
        if isUnderWay { commands.insert(command.number) } else { commands.remove(command.number) }
    }

    /// True if the request cancels a command of the console that is under way.
    func cancelsCommand(_ request: DebugRequest) -> Bool {
        request.command == "cancel"
            && request.arguments["requestId"]?.natural.map(commands.contains) ?? false
    }

    /// Whether what is being done is to end.
    var areThere: Bool { waiting.contains(where: ends) }

    /// Whether it is to end even if it is a session that is being opened, which a pause does not keep from that.
    var areThereWhileOpening: Bool { waiting.contains { ends($0) && !$0.isPause } }

    /// A client may no longer want one request, and no more than that.
    private func ends(_ request: DebugRequest) -> Bool {
        guard request.command == "cancel", let number = request.arguments["requestId"]?.natural
        else {
            return true
        }
        return number == current
    }
}

extension DebugRequest {
    var isPause: Bool { command == "pause" }
}
