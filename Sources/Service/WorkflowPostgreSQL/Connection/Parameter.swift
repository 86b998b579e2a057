/// A parameter of a statement, in PostgreSQL's binary form. The forms are those of PostgreSQL's
/// functions `…send`, unchanged since version 7.4.
enum Parameter: Sendable {
    case integer(Int?)
    case text(String?)
    case integers([Int?])
    case texts([String?])
    case bools([Bool])

    /// The number of the type in `pg_type`.
    var type: UInt32 {
        switch self {
        case .integer: Self.bigint
        case .text: Self.text
        case .integers: 1016
        case .texts: 1009
        case .bools: 1000
        }
    }

    /// The bytes; `nil` for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .integer(let number): number.map { Self.bytes(of: Int64($0)) }
        case .text(let text): text.map { Array($0.utf8) }
        case .integers(let numbers):
            Self.array(of: Self.bigint, numbers.count, size: 12) { place, bytes in
                guard let number = numbers[place] else { return false }
                bytes += Self.bytes(of: Int32(8)) + Self.bytes(of: Int64(number))
                return true
            }
        case .texts(let texts):
            Self.array(of: Self.text, texts.count, size: 64) { place, bytes in
                guard let text = texts[place]?.utf8 else { return false }
                bytes += Self.bytes(of: Int32(text.count))
                bytes += text
                return true
            }
        case .bools(let bools):
            Self.array(of: 16, bools.count, size: 5) { place, bytes in
                bytes += Self.bytes(of: Int32(1)) + [bools[place] ? 1 : 0]
                return true
            }
        }
    }

    private static let bigint: UInt32 = 20
    private static let text: UInt32 = 25

    /// - Parameter append: Appends the size and the bytes of an element; false for NULL.
    private static func array(
        of type: UInt32, _ count: Int, size: Int, append: (Int, inout [UInt8]) -> Bool
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + count * size)
        // The dimensions, whether there may be NULLs, the type, the count and the first index.
        bytes += Self.bytes(of: Int32(count == 0 ? 0 : 1)) + Self.bytes(of: Int32(1))
        bytes += Self.bytes(of: Int32(bitPattern: type))
        if count == 0 { return bytes }
        bytes += Self.bytes(of: Int32(count)) + Self.bytes(of: Int32(1))
        for place in 0..<count where !append(place, &bytes) { bytes += Self.bytes(of: Int32(-1)) }
        return bytes
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
