import PlainValue

extension Value {
    /// The value without the sinks in it, which say nothing of what a flow shows.
    var withoutSinks: Value {
        switch self {
        case .record(let record):
            var changed: Value.Record = record
            for (key, value) in record {
                if actionType(ofSink: value) != nil {
                    changed[key] = nil
                } else if value.isContainer {
                    changed[key] = value.withoutSinks
                }
            }
            return .record(changed)
        case .list(let list):
            guard list.contains(where: \.isContainer) else { return self }
            return .list(
                Value.List(
                    list.map { element in
                        actionType(ofSink: element).map { .string("→ " + $0) }
                            ?? element.withoutSinks
                    }))
        default: return self
        }
    }

    fileprivate var isContainer: Bool {
        switch self {
        case .list, .record: true
        default: false
        }
    }

    /// The value on one line as a person reads it: text without quotes if it can be told from other values, the rest
    /// in Lua's way, with `…` for what does not fit a width.
    func line(width: Int) -> String {
        if case .string(let text) = self, !text.isEmpty, text.trimmed == text {
            return printable(text).cut(to: width)
        }
        return summary(maxLength: max(width, 1)).cut(to: width)
    }
}

/// The type of the action of a sink; `nil` for a value that is no sink.
func actionType(ofSink value: Value) -> String? {
    guard case .record(let record) = value, let sink = record["$sink"] else { return nil }
    return sink["action"]?["type"]?.string ?? "?"
}
