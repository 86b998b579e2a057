package import PlainValue

extension Value {
    /// The sinks in a rendering and where they stand, in the order in which they are shown.
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
}
