import PlainValue
import WorkflowKit
import WorkflowLua

/// What a client has seen of a stop, by the numbers under which it asks for more; good until it goes on.
struct StoppedView {
    /// What has values inside.
    struct Container {
        var value: Value
        /// What it is part of, and where; `nil` if that cannot be watched.
        var place: (root: String, path: String)?
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
    mutating func number(of value: Value, _ place: (root: String, path: String)? = nil) -> Int {
        containers.append(Container(value: value, place: place))
        return containers.count
    }

    func container(_ number: Int) -> Container? {
        containers.indices.contains(number - 1) ? containers[number - 1] : nil
    }

    /// The root and the path of something inside.
    func path(of number: Int, name: String) -> (String, String)? {
        guard let place = container(number)?.place else { return nil }
        return (place.root, Self.join(place.path, name))
    }

    static func join(_ path: String, _ name: String) -> String {
        path.isEmpty || name.hasPrefix("[") ? path + name : path + "." + name
    }
}
