import PlainValue

/// The bytes of an input, consumed one by one to make decisions; zero after the end.
struct ByteSource {
    private var remaining: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { remaining = bytes[...] }

    var isEmpty: Bool { remaining.isEmpty }

    mutating func byte() -> UInt8 { remaining.popFirst() ?? 0 }

    mutating func rest() -> [UInt8] {
        defer { remaining = remaining.dropFirst(remaining.count) }
        return Array(remaining)
    }

    /// A number below `bound`, which is at most 256.
    mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

    mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

    mutating func choice<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    /// As many bytes as the next byte says.
    mutating func bytes() -> [UInt8] {
        let count = min(Int(byte()), remaining.count)
        defer { remaining = remaining.dropFirst(count) }
        return Array(remaining.prefix(count))
    }

    mutating func string() -> String {
        switch number(below: 8) {
        case 0: ""
        case 1: choice(of: ["a", "b", "id", "end", "type", "$sink", "e\u{301}", "é", "\u{0}"])
        case 2: String(repeating: "long é ", count: number(below: 60))
        default: String(decoding: bytes(), as: UTF8.self)
        }
    }

    /// A plain value: its numbers are finite and its keys unique.
    mutating func value(depth: Int = 0) -> Value {
        let isLeaf = depth > 100 || isEmpty
        switch number(below: isLeaf ? 7 : 11) {
        case 0: return .null
        case 1: return .bool(byte() & 1 == 1)
        case 2: return .int(Int(Int8(bitPattern: byte())))
        case 3: return .int(Int(truncatingIfNeeded: word()) >> number(below: 64))
        case 4:
            let double = Double(bitPattern: word())
            return .double(double.isFinite ? double : -0.0)
        case 5, 6: return .string(string())
        case 7, 8:
            let count = number(below: 20)
            return .list(Value.List((0..<count).map { _ in value(depth: depth + 1) }))
        default:
            var record = Value.Record()
            for _ in 0..<number(below: 20) { record[string()] = value(depth: depth + 1) }
            return .record(record)
        }
    }
}

/// True if two values are identical, with -0.0 and 0.0 distinguished.
func areSame(_ left: Value, _ right: Value) -> Bool {
    (try? encoding(of: left)) == (try? encoding(of: right))
}

func encoding(of value: Value) throws -> [UInt8] { try value.withEncodedBytes { Array($0) } }
