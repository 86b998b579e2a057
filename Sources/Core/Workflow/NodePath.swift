import PlainValue

/// The position of a node in the tree: the names and keys from the root down.
///
/// ```swift
/// let path = NodePath([.init(name: "list"), .init(name: "row", key: "3")])
/// print(path)  // list/row:3
/// let sink = host.sink(of: LuaAction.self, at: path)
/// ```
///
/// The text form is `app/row:3/editor`. Components are separated by `/`, and a non-empty key
/// follows its name after `:`. In names and keys `/`, `:` and `%` are percent-encoded, so a path
/// reads back the same. Two paths are equal if their names and keys have the same UTF-8 bytes.
public struct NodePath: Hashable, Sendable, CustomStringConvertible {
    /// One node of a path.
    public struct Component: Hashable, Sendable, CustomStringConvertible {
        /// The name of the node's type.
        public var name: String
        /// The key under which the parent renders it; empty for the root and unkeyed children.
        public var key: String

        /// Makes a component from its parts.
        ///
        /// ```swift
        /// let row = NodePath.Component(name: "row", key: "3")  // row:3
        /// ```
        public init(name: String, key: String = "") {
            self.name = name
            self.key = key
        }

        /// The text form, such as `row:3`.
        public var description: String {
            let name = NodePath.escaped(name)
            return key.isEmpty ? name : name + ":" + NodePath.escaped(key)
        }

        /// Compares the bytes of name and key.
        public static func == (a: Component, b: Component) -> Bool {
            a.name.hasSameBytes(as: b.name) && a.key.hasSameBytes(as: b.key)
        }

        /// Feeds the bytes of name and key to a hasher.
        public func hash(into hasher: inout Hasher) {
            name.hashBytes(into: &hasher)
            key.hashBytes(into: &hasher)
        }
    }

    /// The components from the root down. The path of a node is never empty.
    public var components: [Component]

    /// Makes a path from its components, root first.
    ///
    /// ```swift
    /// let path = NodePath([.init(name: "row", key: "a/b")])  // row:a%2Fb
    /// ```
    public init(_ components: [Component]) { self.components = components }

    /// Parses the form that ``description`` writes. Returns `nil` if `text` is empty, has an empty
    /// name or an invalid percent sequence.
    ///
    /// ```swift
    /// let text = "list/row:3"
    /// print(NodePath(text)?.components.last?.key ?? "no path")  // 3
    /// ```
    ///
    /// - Important: Swift takes `NodePath("list")` with a literal for ``init(stringLiteral:)``.
    public init?(_ text: String) {
        components = []
        // Parsed as bytes: a combining mark first in a key would form one character with the ":".
        for part in text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false) {
            let colon = part.firstIndex(of: 0x3A) ?? part.endIndex
            guard colon > part.startIndex,
                let name = Self.unescaped(Substring(part[..<colon])),
                let key = Self.unescaped(Substring(part[colon...].dropFirst()))
            else { return nil }
            components.append(Component(name: name, key: key))
        }
    }

    /// The text form, such as `app/row:3`.
    public var description: String {
        components.map(\.description).joined(separator: "/")
    }

    fileprivate static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x2F || $0 == 0x3A || $0 == 0x25 }) else {
            return text
        }
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "/": result += "%2F"
            case ":": result += "%3A"
            case "%": result += "%25"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func unescaped(_ text: Substring) -> String? {
        guard text.utf8.contains(0x25) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension NodePath {
    /// The last eight components, for a message about a very deep tree.
    var ending: NodePath { NodePath(Array(components.suffix(8))) }

    package var parent: NodePath { NodePath(Array(components.dropLast())) }
}

extension NodePath: ExpressibleByStringLiteral {
    /// Makes a path from a literal in the form of ``description``; no node has the empty path.
    ///
    /// ```swift
    /// let path: NodePath = "list/row:3"
    /// ```
    ///
    /// - Precondition: The text has that form; it traps for `list//row`.
    public init(stringLiteral text: String) {
        guard let path = text.isEmpty ? NodePath([]) : NodePath(text) else {
            preconditionFailure("'\(text)' is not the path of a node")
        }
        self = path
    }
}

extension NodePath: ExpressibleByStringInterpolation {
    /// Collects the text of a path, in which each value stands for itself.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Begins with the empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a part in the form of ``NodePath/description``.
        public mutating func appendLiteral(_ part: String) { text += part }

        /// Adds a value, whose `/`, `:` and `%` separate nothing.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += NodePath.escaped(value.description)
        }
    }

    /// Makes a path from a text with values; where one leaves a name empty, it leads to no node.
    ///
    /// ```swift
    /// let key = "a/b"
    /// let path: NodePath = "list/row:\(key)"  // list/row:a%2Fb
    /// ```
    public init(stringInterpolation parts: StringInterpolation) {
        self = NodePath(parts.text) ?? NodePath([Component(name: parts.text)])
    }
}

extension NodePath: Codable {
    /// Decodes the text form.
    public init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let path = text.isEmpty ? NodePath([]) : NodePath(text) else {
            let reason = "'\(text)' is not the path of a node"
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        self = path
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
