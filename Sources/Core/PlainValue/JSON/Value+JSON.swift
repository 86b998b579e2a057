extension Value {
    /// Reads a JSON text.
    ///
    /// A number without a fraction or exponent is an integer, and must fit 64 bits; any other
    /// number is a float.
    ///
    /// ```swift
    /// print(try Value(json: "[1, 1.0]"))  // { 1, 1.0 }
    /// ```
    ///
    /// - Throws: A ``JSONError`` with line and column if the text is not JSON, if an object has a
    ///   key twice, or if the value exceeds the limits.
    public init(json text: String, limits: ValueLimits = .standard) throws(JSONError) {
        let result = text.withBytes { bytes in
            Result { () throws(JSONError) in try JSONParser.parse(bytes, limits: limits) }
        }
        self = try result.get().value
    }

    /// Reads a JSON text in UTF-8.
    ///
    /// - Throws: A ``JSONError`` as ``init(json:limits:)-(String,_)``, and for wrong UTF-8.
    public init(
        json bytes: UnsafeRawBufferPointer, limits: ValueLimits = .standard
    ) throws(JSONError) {
        self = try JSONParser.parse(bytes, limits: limits).value
    }

    /// Reads a JSON text in UTF-8.
    ///
    /// ```swift
    /// let tags = try Value(json: Array(#"["new"]"#.utf8))
    /// ```
    ///
    /// - Throws: A ``JSONError`` as ``init(json:limits:)-(String,_)``, and for wrong UTF-8.
    public init(
        json bytes: some Sequence<UInt8>, limits: ValueLimits = .standard
    ) throws(JSONError) {
        self = try Array(bytes).withUnsafeBufferPointer { bytes throws(JSONError) in
            try JSONParser.parse(UnsafeRawBufferPointer(bytes), limits: limits).value
        }
    }

    /// This value as JSON on one line, without spaces.
    ///
    /// Keys are in the order of their UTF-8 bytes, and floats always have a fraction or exponent,
    /// so equal values give equal texts.
    ///
    /// - Important: NaN and the infinities, which JSON lacks, become `null`;
    ///   ``encoded(limits:)`` refuses them.
    public var json: String { text(.compact) }

    /// This value as JSON on lines indented by two spaces; otherwise like ``json``.
    public var prettyJSON: String { text(.pretty) }

    /// Adds this value as JSON to the end of `bytes`, in UTF-8.
    ///
    /// ```swift
    /// order.write(json: .compact, into: &bytes)
    /// ```
    public func write(json style: JSONStyle, into bytes: inout [UInt8]) {
        var writer = JSONWriter(style: style)
        writer.write(self)
        bytes.append(contentsOf: writer.buffer.bytes)
    }

    /// Adds this value as JSON to the end of `text`.
    public func write(json style: JSONStyle, into text: inout String) {
        text += self.text(style)
    }

    private func text(_ style: JSONStyle) -> String {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return String(decoding: writer.buffer.bytes, as: UTF8.self)
    }
}
