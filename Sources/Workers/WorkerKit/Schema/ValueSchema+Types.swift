extension ValueSchema {
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
