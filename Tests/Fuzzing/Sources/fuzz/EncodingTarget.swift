import PlainValue

/// The binary encoding: bytes are either refused, or are the unique encoding of their value.
enum EncodingTarget: FuzzTarget {
    static let seeds: [[UInt8]] = seedValues.compactMap { value in
        (try? encoding(of: value)).map { [0] + $0 }
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var source = ByteSource(bytes)
        if source.byte() & 1 == 1 {
            checkValue(source.value())
        } else {
            checkBytes(Array(bytes.dropFirst()))
        }
    }

    private static func checkBytes(_ bytes: [UInt8]) {
        guard let encoded = try? EncodedValue(validating: bytes) else { return }
        let value = encoded.value
        let rebuilt = rebuilt(value)
        guard (try? encoding(of: rebuilt)) == bytes else {
            contradiction("valid bytes are not the encoding of the value they are read as")
        }
        guard rebuilt == value, value.hashValue == rebuilt.hashValue else {
            contradiction("a value differs from its copy: \(value)")
        }
        _ = value.json
        _ = value.description
    }

    private static func checkValue(_ value: Value) {
        guard let bytes = try? encoding(of: value) else {
            contradiction("a value without encoding")
        }
        guard let read = try? EncodedValue(validating: bytes).value else {
            contradiction("an encoding that is not valid")
        }
        guard areSame(value, rebuilt(read)), read == value else {
            contradiction("a value differs when it is read again: \(value)")
        }
        // Truncated or changed bytes are refused or can be read safely.
        checkBytes(Array(bytes.dropLast()))
    }

    /// An equal value, built again from its parts.
    private static func rebuilt(_ value: Value) -> Value {
        switch value {
        case .list(let list): .list(Value.List(list.map(rebuilt)))
        case .record(let record):
            .record(Value.Record(record.map { ($0.key, rebuilt($0.value)) }))
        default: value
        }
    }
}

let seedValues: [Value] = [
    .null, true, false, 0, -128, 127, -129, .int(1 << 31), .int(.min), 0.5, -0.0, "", "é😀",
    .string(String(repeating: "long ", count: 60)), [], [:], [1, [2, ["a"]], .null],
    ["a": 1, "b": [true, 2.5], "": ["c": "d"]],
    .record(Value.Record((0..<40).map { ("key \($0)", .int($0 * 1000)) })),
]
