package import PlainValue

extension Value {
    /// The sinks in a rendering with their paths, in the order in which they are shown.
    package var sinks: [(path: ValuePath, sink: Value)] {
        var found: [(path: ValuePath, sink: Value)] = []
        func visit(_ value: Value, _ path: ValuePath) {
            switch value {
            case .record(let record):
                if record["$sink"] != nil {
                    found.append((path, value))
                    return
                }
                for (key, value) in record { visit(value, path.appending(.key(key))) }
            case .list(let list):
                for (index, value) in list.enumerated() {
                    visit(value, path.appending(.index(index + 1)))
                }
            default: break
            }
        }
        visit(self, ValuePath())
        return found
    }

    /// The value without its sinks, which are not part of the flow's display.
    package var withoutSinks: Value {
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
                of: list.map { element in
                    actionType(ofSink: element).map { .string("→ " + $0) }
                        ?? element.withoutSinks
                })
        default: return self
        }
    }

    private var isContainer: Bool {
        switch self {
        case .list, .record: true
        default: false
        }
    }
}

/// The type of a sink's action; `nil` for a value that is not a sink.
package func actionType(ofSink value: Value) -> String? {
    guard case .record(let record) = value, let sink = record["$sink"] else { return nil }
    return sink["action"]?["type"]?.string ?? "?"
}
