extension ValueSchema {
    /// Derives the shape that a type decodes itself from, by letting it decode from nothing.
    ///
    /// Types whose `init(from:)` is synthesised are understood, so are arrays, dictionaries with
    /// text for keys, optionals, and enumerations of text that are `CaseIterable`. A type that
    /// contains itself is ``any`` there.
    ///
    /// - Throws: What a type throws that refuses the samples it is given; describe such a type by
    ///   hand.
    public init<T: Decodable>(of type: T.Type) throws {
        self = try SchemaRecorder().sample(of: type).schema
    }
}
