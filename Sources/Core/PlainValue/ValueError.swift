/// Why a value cannot be encoded, or why bytes are not an encoded value.
public struct ValueError: Error, Sendable, Hashable {
    /// What is wrong.
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
        /// A value begins with a byte that is no tag.
        case unknownTag(UInt8)
        /// A number or string is not written in its shortest form.
        case notShortest
        /// The size of a list or record does not match what it holds.
        case wrongSize
        /// An offset does not lead to where its element or entry begins.
        case wrongOffset
        /// The key of an entry is not a string.
        case keyNotString
        /// The keys of a record are not in order, or one appears twice.
        case keysNotSorted
        /// A string is not valid UTF-8.
        case notUTF8
    }

    /// What is wrong.
    public let code: Code
    /// Where the fault is in the value; empty for a fault found in bytes.
    public internal(set) var path: ValuePath
    /// Where the fault is in the bytes, counted from 0; nil when a value was being encoded.
    public let byteOffset: Int?

    init(_ code: Code, byteOffset: Int? = nil) {
        self.code = code
        path = ValuePath()
        self.byteOffset = byteOffset
    }
}

extension ValueError: CustomStringConvertible {
    /// What is wrong and where, in one sentence without a full stop.
    public var description: String {
        if let byteOffset { return "\(code) at byte \(byteOffset)" }
        return path.isEmpty ? "\(code)" : "\(code) at \(path)"
    }
}

extension ValueError.Code: CustomStringConvertible {
    /// What is wrong, without the place.
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
