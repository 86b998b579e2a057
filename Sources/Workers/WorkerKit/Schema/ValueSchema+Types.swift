extension ValueSchema {
    /// Derives the shape that a type decodes itself from, by letting it decode samples.
    ///
    /// It supports types with a synthesised `init(from:)`, arrays, dictionaries with string keys,
    /// optionals, and string enumerations that are `CaseIterable`. Where a type contains itself,
    /// the shape is ``any``.
    ///
    /// - Throws: The error of a type that refuses the samples; describe such a type by hand.
    public init<T: Decodable>(of type: T.Type) throws {
        self = try SchemaRecorder().sample(of: type).schema
    }
}
