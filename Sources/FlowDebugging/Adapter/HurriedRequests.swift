import PlainValue

/// The requests that have come and are to end what is being done before they are handled in their turn.
struct HurriedRequests {
    private var waiting: [DebugRequest] = []
    /// The number of the request that is being dealt with.
    private var current = 0

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
