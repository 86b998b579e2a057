public import PlainValue
public import WorkflowLua

extension FlowEvent {
    /// The version of the protocol that ``record`` follows.
    public static let protocolVersion = 1

    /// The event as a plain value: one object of the JSON protocol.
    ///
    /// It always has `v`, `seq`, `at` (RFC 3339 with milliseconds) and `type`.
    public var record: Value {
        var record: Value.Record = [
            "v": .int(Self.protocolVersion),
            "seq": .int(sequence),
            "at": .string(rfc3339(milliseconds: milliseconds)),
        ]
        func set(_ name: String, _ value: Value?) {
            if let value { record[name] = value }
        }
        switch kind {
        case .ready(let flow, let session):
            set("type", "ready")
            set("flow", .string(flow))
            set("session", .string(session))
            set("protocol", .int(Self.protocolVersion))
            set("lua", "5.4")
            set("plugins", [])
        case .rendering(let rendering, let actions, let pass, let cause):
            set("type", "rendering")
            set("rendering", rendering)
            set("actions", .list(Value.List(actions.map { .string($0) })))
            set("pass", .int(pass))
            set("cause", cause.map { .int($0) })
        case .action(let action, let node, let source):
            set("type", "action")
            set("node", .string(node))
            set("action", action)
            set("source", .string(source))
        case .output(let output):
            set("type", "output")
            set("output", output)
        case .dropped(let node, let action, let reason):
            set("type", "dropped")
            set("node", .string(node))
            set("action", action)
            set("reason", .string(reason))
        case .log(let level, let message, let location):
            set("type", "log")
            set("level", .string(level.rawValue))
            set("message", .string(message))
            set("location", location.map { .record($0.record) })
        case .error(let error):
            set("type", "error")
            for (name, value) in error.record { set(name, value) }
        case .reply(let id, let error):
            set("type", "reply")
            set("id", id)
            set("ok", .bool(error == nil))
            set("error", error.map { .record($0.record) })
        case .done(let reason, let exit):
            set("type", "done")
            set("reason", .string(reason))
            set("exit", .int(exit))
        }
        return .record(record)
    }
}

extension FlowError.Location {
    fileprivate var record: Value.Record {
        // A whole file has no line.
        line > 0 ? ["file": .string(file), "line": .int(line)] : ["file": .string(file)]
    }
}

extension FlowError {
    /// The error as a plain value: `code`, `message`, and whatever else is known.
    public var record: Value.Record {
        var record: Value.Record = [
            "code": .string(code.rawValue), "message": .string(message),
        ]
        if let location { record["location"] = .record(location.record) }
        if let phase { record["phase"] = .string(phase.description) }
        if let node { record["node"] = .string(node) }
        if !frames.isEmpty {
            record["trace"] = .list(
                Value.List(
                    frames.map { frame in
                        var record = frame.location.record
                        if let function = frame.function { record["function"] = .string(function) }
                        return .record(record)
                    }))
        }
        if !locals.isEmpty {
            record["locals"] = .list(
                Value.List(
                    locals.map { ["name": .string($0.name), "value": .string($0.value)] }))
        }
        if !notes.isEmpty { record["notes"] = .list(Value.List(notes.map { .string($0) })) }
        if let help { record["help"] = .string(help) }
        return record
    }
}

/// A moment as RFC 3339 text in UTC, such as `2024-05-01T08:30:00.250Z`.
func rfc3339(milliseconds: Int) -> String {
    func floorDivide(_ a: Int, _ b: Int) -> (Int, Int) {
        let remainder = ((a % b) + b) % b
        return ((a - remainder) / b, remainder)
    }
    func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let (seconds, fraction) = floorDivide(milliseconds, 1000)
    let (days, second) = floorDivide(seconds, 86_400)
    // Days since 1970 to a date of the proleptic Gregorian calendar, counting years from 1 March, so
    // that the leap day is the last of its year.
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time =
        "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(time).\(padded(fraction, 3))Z"
}
