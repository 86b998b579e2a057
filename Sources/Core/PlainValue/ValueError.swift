/// The error for a value that cannot be encoded, or for bytes that are not an encoded value.
public struct ValueError: Error, Sendable, Hashable {
    /// The fault in a value or in bytes.
    public enum Code: Sendable, Hashable {
        /// A float is NaN or infinite.
        case notFinite
        /// More lists and records are nested than the limit.
        case tooDeep(limit: Int)
        /// There are more values in all than the limit.
        case tooManyValues(limit: Int)
        /// The encoding takes more bytes than the limit.
        case tooLarge(limit: Int)
        /// The bytes end inside a value.
        case truncated
        /// Bytes follow the end of the value.
        case trailingBytes
        /// A value begins with a byte that is not a tag.
        case unknownTag(UInt8)
        /// A number or string is not written in its shortest form.
        case notShortest
        /// The size of a list or record does not match its content.
        case wrongSize
        /// An offset does not lead to the start of its element or entry.
        case wrongOffset
        /// The key of an entry is not a string.
        case keyNotString
        /// The keys of a record are not in order, or one appears twice.
        case keysNotSorted
        /// A string is not valid UTF-8.
        case notUTF8
    }

    /// The fault.
    public let code: Code
    /// The path of the fault in the value; empty for a fault in bytes.
    public internal(set) var path: ValuePath
    /// The offset of the fault in the bytes, counted from 0; `nil` while a value was encoded.
    public let byteOffset: Int?

    init(_ code: Code, byteOffset: Int? = nil) {
        self.code = code
        path = ValuePath()
        self.byteOffset = byteOffset
    }
}

extension ValueError: CustomStringConvertible {
    /// The fault and its place, in one sentence without a full stop.
    public var description: String {
        if let byteOffset { return "\(code) at byte \(byteOffset)" }
        return path.isEmpty ? "\(code)" : "\(code) at \(path)"
    }
}

extension ValueError.Code: CustomStringConvertible {
    /// The fault, without its place.
    public var description: String {
        switch self {
        case .notFinite: "a float is NaN or infinite"
        case .tooDeep(let limit): "lists and records are nested more than \(limit) deep"
        case .tooManyValues(let limit): "there are more than \(limit) values"
        case .tooLarge(let limit): "the encoding takes more than \(limit) bytes"
        case .truncated: "the bytes end inside a value"
        case .trailingBytes: "bytes follow the end of the value"
        case .unknownTag(let tag): "\(tag) is not the tag of a value"
        case .notShortest: "a number or string is not in its shortest form"
        case .wrongSize: "a size does not match the content"
        case .wrongOffset: "an offset does not lead to an element"
        case .keyNotString: "a key is not a string"
        case .keysNotSorted: "keys are not sorted and unique"
        case .notUTF8: "a string is not valid UTF-8"
        }
    }
}
