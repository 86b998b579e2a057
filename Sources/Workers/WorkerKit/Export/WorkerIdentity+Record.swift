package import PlainValue

// The form in which libraries receive the identity; see `identity` of the host's table.
extension WorkerIdentity {
    package func record(resumption: WorkerResumption?) -> Value {
        var record: Value.Record = [
            "text": .string(text), "session": .string(session), "step": .int(step),
            "node": .string(node), "name": .string(name), "key": .string(key),
            "started": .int(started), "attempt": .int(attempt),
        ]
        if let resumption {
            record["ran"] = .int(resumption.ran.wholeMilliseconds)
            record["paused"] = .int(resumption.paused.wholeMilliseconds)
            record["last_pause"] = .int(resumption.lastPause.wholeMilliseconds)
        }
        return .record(record)
    }

    /// The identity in such a value; `nil` if a part is missing.
    init?(_ record: Value) {
        guard let session = record["session"]?.string, let step = record["step"]?.int,
            let node = record["node"]?.string, let name = record["name"]?.string,
            let key = record["key"]?.string, let started = record["started"]?.int,
            let attempt = record["attempt"]?.int
        else { return nil }
        self.init(
            session: session, step: step, node: node, name: name, key: key, started: started,
            attempt: attempt)
    }
}

extension WorkerResumption {
    /// The resumption in such a value; `nil` for a run that starts for the first time.
    init?(_ record: Value) {
        guard let ran = record["ran"]?.int, let paused = record["paused"]?.int else { return nil }
        self.init(
            ran: .milliseconds(ran), paused: .milliseconds(paused),
            lastPause: record["last_pause"]?.int.map { .milliseconds($0) })
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int { Int(wholeNanoseconds / 1_000_000) }
}
