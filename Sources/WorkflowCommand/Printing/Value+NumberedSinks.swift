import PlainValue

/// The sinks in a rendering with their paths, in the order in which they are shown.
func sinksInOrder(_ rendering: Value) -> [(path: String, sink: Value)] {
    var found: [(path: String, sink: Value)] = []
    func visit(_ value: Value, _ path: ValuePath) {
        switch value {
        case .record(let record):
            if record["$sink"] != nil {
                found.append((path.description, value))
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
    visit(rendering, ValuePath())
    return found
}
