/// The shape of a value: what lists of workers show, and what inputs are checked against.
///
/// Written as the language server of Lua writes types: `{ url: string, headers?: table<string, string> }`.
public indirect enum ValueSchema: Sendable, Hashable {
    /// Anything.
    case any
    /// Nothing.
    case null
    /// A truth value.
    case boolean
    /// A whole number.
    case integer
    /// A number of either kind.
    case number
    /// Text.
    case string
    /// One of a few texts.
    case choice([String])
    /// A value of some shape, or none.
    case optional(ValueSchema)
    /// Values of one shape, in order.
    case list(ValueSchema)
    /// Values of one shape, by any names.
    case map(ValueSchema)
    /// Values by certain names, in the order in which the type declares them.
    case record([Field])

    /// One name of a record.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The shape of what is under it; ``ValueSchema/optional(_:)`` if it may be left out.
        public let schema: ValueSchema

        /// A field from its parts.
        public init(_ name: String, _ schema: ValueSchema) {
            self.name = name
            self.schema = schema
        }

        /// Whether it may be left out.
        public var isOptional: Bool {
            switch schema {
            case .any, .null, .optional: true
            default: false
            }
        }
    }
}
