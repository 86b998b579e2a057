import PlainValue

/// The frames and values of a stop, by a client's numbers for them. Valid until it continues.
struct StoppedView {
    /// A value with parts.
    struct Container {
        /// The value; `nil` if it is found when its parts are asked for.
        var value: Value?
        /// Its place; `nil` if it cannot be watched.
        var place: Place?
        /// The expression for it; `nil` if there is none.
        var expression: EvaluateName?
        /// True if all of it is plain. Otherwise keys of all kinds are shown as texts.
        var isPlain = true
        /// The names of the parts that are nil, and of those that are not plain.
        var nils: Set<String> = []
        var likenesses: Set<String> = []
        /// The frame in which the expression is evaluated.
        var frame: Frame?

        func place(of name: String) -> Place? {
            guard let place else { return nil }
            let index = value?.list == nil ? nil : Int(name.dropFirst().dropLast())
            return Place(
                root: place.root,
                path: place.path.appending(index.map { .index($0) } ?? .key(name)))
        }
    }

    /// The place of a value that can be watched.
    struct Place {
        /// The root: a node's state, or the rendering.
        var root: String
        var path = ValuePath()
    }

    /// A line of the stack.
    struct Frame {
        /// The index of the line in the input, and of the function in the line's calls.
        var line: Int
        var level: Int
    }

    /// A line of an input to which the client can go.
    struct Target {
        var input: Int
        var file: String
        var line: Int
    }

    var targets: [Target] = []
    var contents: [Int: MomentContent] = [:]
    var frames: [Frame] = []
    private var containers: [Container] = []

    mutating func number(of container: Container) -> Int {
        containers.append(container)
        return containers.count
    }

    func container(_ number: Int) -> Container? {
        containers.indices.contains(number - 1) ? containers[number - 1] : nil
    }
}
