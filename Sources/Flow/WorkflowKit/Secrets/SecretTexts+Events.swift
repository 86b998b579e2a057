package import PlainValue

extension FlowEvent {
    /// The event as a plain value, without what is secret.
    func record(hiding secrets: SecretTexts) -> Value { secrets.hiding(event: record) }
}

extension SecretTexts {
    /// The fields of events that hold values of a flow.
    private static let values: Set<String> = [
        "props", "snapshot", "rendering", "action", "output", "error", "input",
        "value",
    ]
    /// The fields of events and of answers whose texts are none of a flow.
    static let structure: Set<String> = [
        "$", "at", "code", "do", "file", "flow", "hash", "kind", "level", "lua", "op", "phase",
        "plugins", "reason", "seed", "session", "source", "type",
    ]

    /// What is to be seen of the record of an event.
    package func hiding(event: Value) -> Value {
        guard !names.isEmpty, case .record(var fields) = event else { return event }
        // The locals of an error are texts that may have been cut.
        fields["locals"] = nil
        let shown = fields.map { name, value in
            (
                name,
                Self.values.contains(name)
                    ? hiding(value) : naming(value, except: Self.structure)
            )
        }
        return .record(Value.Record(shown) { $1 })
    }
}
