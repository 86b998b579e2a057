/// The error for a text that is not JSON of a value, with its place.
///
/// ```swift
/// do {
///     _ = try Value(json: #"{"port": 8080, "port": 8081}"#)
/// } catch {
///     print(error)  // line 1, column 16: the key "port" appears twice
/// }
/// ```
public struct JSONError: Error, Sendable, Hashable {
    /// The fault in the text.
    public enum Code: Sendable, Hashable {
        /// The text has something else in the place of `what`, or ends there.
        case expected(_ what: String, found: String)
        /// A key appears twice in one object.
        case duplicateKey(String)
        /// An integer does not fit 64 bits; with a fraction or exponent it would be a float.
        case integerTooLarge
        /// A number is beyond the largest float.
        case numberTooLarge
        /// A `\u` escape is one half of a surrogate pair without the other.
        case loneSurrogate
        /// A control character in a string is not escaped.
        case controlCharacter
        /// The bytes of a string are not UTF-8.
        case notUTF8
        /// The value exceeds a limit.
        case limit(ValueError.Code)
    }

    /// The fault.
    public let code: Code
    /// The line of the fault, counted from 1.
    public let line: Int
    /// The column of the fault, counted from 1 in Unicode scalars.
    public let column: Int

    init(_ code: Code, at offset: Int, in text: UnsafeRawBufferPointer) {
        self.code = code
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}

extension JSONError: CustomStringConvertible {
    /// The place and the fault: `line 2, column 8: expected ',' or '}', found 'x'`.
    public var description: String { "line \(line), column \(column): \(code)" }
}

extension JSONError.Code: CustomStringConvertible {
    /// The fault, without its place.
    public var description: String {
        switch self {
        case .expected(let what, let found): "expected \(what), found \(found)"
        case .duplicateKey(let key): "the key \(LuaText.quoted(key)) appears twice"
        case .integerTooLarge: "an integer does not fit 64 bits"
        case .numberTooLarge: "a number is too large for a float"
        case .loneSurrogate: "an escaped surrogate has no other half"
        case .controlCharacter: "a control character in a string has to be escaped"
        case .notUTF8: "the bytes are not UTF-8"
        case .limit(let code): "\(code)"
        }
    }
}
