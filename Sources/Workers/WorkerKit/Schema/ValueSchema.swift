/// The shape of a value, shown in lists of workers and used to check inputs.
///
/// The text form is the type notation of the Lua language server:
/// `{ url: string, headers?: table<string, string> }`.
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
    /// One of several strings.
    case choice([String])
    /// An optional value of a shape.
    case optional(ValueSchema)
    /// Values of one shape, in order.
    case list(ValueSchema)
    /// Values of one shape, with any keys.
    case map(ValueSchema)
    /// Values with certain keys, in the order in which the type declares them.
    case record([Field])

    /// A field of a record.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The shape of its value; ``ValueSchema/optional(_:)`` if the field may be left out.
        public let schema: ValueSchema

        /// Makes a field from its parts.
        public init(_ name: String, _ schema: ValueSchema) {
            self.name = name
            self.schema = schema
        }

        /// True if the field may be left out.
        public var isOptional: Bool {
            switch schema {
            case .any, .null, .optional: true
            default: false
            }
        }
    }

    /// Derives the shape that a type decodes itself from, by letting it decode samples.
    ///
    /// It supports synthesised `init(from:)`, arrays, dictionaries with string keys, optionals, and
    /// string enumerations that are `CaseIterable`. A type within itself has the shape ``any``.
    ///
    /// ```swift
    /// print(try ValueSchema(of: [Int].self))  // integer[]
    /// ```
    ///
    /// - Throws: The error of a type that refuses the samples; describe such a type by hand.
    public init<T: Decodable>(of type: T.Type) throws {
        self = try SchemaRecorder().sample(of: type).schema
    }
}
