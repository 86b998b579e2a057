package import PlainValue

extension FlowEvent {
    func record(hiding secrets: SecretTexts) -> Value { secrets.hiding(event: record) }
}

extension SecretTexts {
    /// The fields of events that hold values of a flow.
    private static let values: Set<String> = [
        "props", "snapshot", "rendering", "action", "output", "error", "input",
        "value",
    ]
    /// The fields of events and replies whose texts do not come from a flow.
    static let structure: Set<String> = [
        "$", "at", "code", "do", "file", "flow", "hash", "kind", "level", "lua", "op", "phase",
        "plugins", "reason", "seed", "session", "source", "type",
    ]

    package func hiding(event: Value) -> Value {
        guard !names.isEmpty, case .record(var fields) = event else { return event }
        // The locals of an error may be cut, so a secret in them would not be recognized.
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
