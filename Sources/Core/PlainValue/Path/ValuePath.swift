/// The way to a place inside a value: `rows[3].title`.
///
/// ```swift
/// let price = try ValuePath(parsing: "lines[1].price")
/// order[price] = 5.0
/// ```
///
/// The empty path is the value itself.
///
/// - Important: Positions in a path count from 1, as they do in Lua, whose users read and write
///   paths: `rows[3]` is the third element, which Swift code reads as `value["rows"]?[2]`.
public struct ValuePath: Sendable, Hashable {
    /// One step into a list or record.
    public enum Component: Sendable, Hashable {
        /// To the value under a key of a record.
        case key(String)
        /// To the element of a list at a position that counts from 1.
        case index(Int)
    }

    /// The steps, outermost first.
    public private(set) var components: [Component]

    /// Makes a path of steps, outermost first; with none, the path of the value itself.
    ///
    /// ```swift
    /// print(ValuePath([.key("rows"), .index(3)]))  // rows[3]
    /// ```
    public init(_ components: [Component] = []) {
        self.components = components
    }

    /// True if it is the path of the value itself.
    public var isEmpty: Bool { components.isEmpty }

    /// Adds a step at the inner end.
    public mutating func append(_ component: Component) {
        components.append(component)
    }

    /// This path with a step added at the inner end.
    ///
    /// ```swift
    /// print(place.appending(.key("unit price")))  // lines[1]["unit price"]
    /// ```
    public func appending(_ component: Component) -> ValuePath {
        ValuePath(components + [component])
    }

    /// This path continued by another.
    public func appending(_ path: ValuePath) -> ValuePath {
        ValuePath(components + path.components)
    }

    mutating func removeLast() {
        components.removeLast()
    }

    mutating func prepend(_ component: Component) {
        components.insert(component, at: 0)
    }
}

extension ValuePath.Component {
    /// Compares two steps; keys compare by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.hasSameBytes(as: right)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }

    /// Feeds the step to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key): key.hashBytes(into: &hasher)
        case .index(let index): hasher.combine(index)
        }
    }
}

extension ValuePath: CustomStringConvertible {
    /// The path in the form that ``init(parsing:)`` reads; empty for the value itself.
    ///
    /// A key that is not a Lua name is quoted: `rows[3]["unit price"]`.
    public var description: String {
        var text = ""
        for component in components {
            switch component {
            case .index(let index):
                text += "[\(index)]"
            case .key(let key) where LuaText.isName(key):
                if !text.isEmpty { text += "." }
                text += key
            case .key(let key):
                text += "[\(LuaText.quoted(key))]"
            }
        }
        return text
    }
}
