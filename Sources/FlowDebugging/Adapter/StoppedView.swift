import PlainValue
import WorkflowKit
import WorkflowLua

/// What a client has seen of a stop, by the numbers under which it asks for more; good until it goes on.
struct StoppedView {
    /// What has values inside.
    struct Container {
        var value: Value
        /// What it is part of, and where; `nil` if that cannot be watched.
        var place: Place?

        /// The place of something inside.
        func place(of name: String) -> Place? {
            guard let place else { return nil }
            let index = value.list == nil ? nil : Int(name.dropFirst().dropLast())
            return Place(
                root: place.root,
                path: place.path.appending(index.map { .index($0) } ?? .key(name)))
        }
    }

    /// Where a value stands that can be watched.
    struct Place {
        /// That of the state of a node, or of the rendering.
        var root: String
        var path = ValuePath()
    }

    /// A line of the stack.
    struct Frame {
        /// The place of the line among those of the input, and of the function among those that are under way there.
        var line: Int
        var level: Int
    }

    var contents: [Int: MomentContent] = [:]
    var frames: [Frame] = []
    private var containers: [Container] = []

    /// The number of something with values inside.
    mutating func number(of value: Value, _ place: Place? = nil) -> Int {
        containers.append(Container(value: value, place: place))
        return containers.count
    }

    func container(_ number: Int) -> Container? {
        containers.indices.contains(number - 1) ? containers[number - 1] : nil
    }
}
