/// A value under construction, to which nested containers may still add.
final class EncodingNode {
    /// A finished value, or a nested container that may not be finished yet.
    enum Child {
        case value(Value)
        case node(EncodingNode)

        var value: Value? {
            switch self {
            case .value(let value): value
            case .node(let node): node.value
            }
        }
    }

    private enum Content {
        case nothing
        case value(Value)
        case list([Child])
        case record([(String, Child)])
    }

    private var content = Content.nothing

    /// The value as far as it has been encoded; `nil` if nothing has.
    var value: Value? {
        switch content {
        case .nothing: nil
        case .value(let value): value
        case .list(let children): .list(Value.List(children.compactMap(\.value)))
        case .record(let children):
            .record(
                Value.Record(
                    children.compactMap { key, child in child.value.map { (key, $0) } }))
        }
    }

    func set(_ value: Value) {
        content = .value(value)
    }

    // A type may ask for its container twice.
    func becomeList() {
        if case .list = content { return }
        content = .list([])
    }

    func becomeRecord() {
        if case .record = content { return }
        content = .record([])
    }

    var count: Int {
        if case .list(let children) = content { children.count } else { 0 }
    }

    func append(_ child: Child) {
        guard case .list(var children) = content else { return }
        // The enum lets go of the array first, so that it is not copied.
        content = .nothing
        children.append(child)
        content = .list(children)
    }

    func append(_ child: Child, forKey key: String) {
        guard case .record(var children) = content else { return }
        content = .nothing
        children.append((key, child))
        content = .record(children)
    }
}
