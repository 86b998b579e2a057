import TestSupport

@testable import PlainValue

extension SeededNumbers {
    mutating func value(depth: Int = 4) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &self) {
        case 0: .null
        case 1: .bool(Bool.random(using: &self))
        case 2: .int(Int.random(in: -200...200, using: &self))
        case 3: .int(Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<64, using: &self))
        case 4: .double(double())
        case 5, 6: .string(string())
        case 7: .list(list(depth: depth - 1))
        default: .record(record(depth: depth - 1))
        }
    }

    mutating func list(depth: Int = 3) -> Value.List {
        let count = Int.random(in: 0..<6, using: &self)
        return Value.List((0..<count).map { _ in value(depth: depth) })
    }

    mutating func record(depth: Int = 3) -> Value.Record {
        let count = Int.random(in: 0..<6, using: &self)
        return Value.Record((0..<count).map { _ in (key(), value(depth: depth)) })
    }

    mutating func key() -> String {
        let usual = ["a", "b", "id", "title", "items", "end", "odd key", "e\u{301}", "é", ""]
        return usual.randomElement(using: &self) ?? ""
    }

    mutating func string() -> String {
        let pieces = [
            "a", "Z", "é", "e\u{301}", "語", "😀", "\"", "\\", "\n", "\u{0}", "\u{7F}", "\u{85}",
            "\u{2028}", " ", "longer plain text, ", "\u{1B}[0m",
        ]
        let count = [0, 1, 3, 7, 40].randomElement(using: &self) ?? 0
        return (0..<count).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }

    private mutating func double() -> Double {
        let special = [0, -0.0, 1, 0.1, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        if Bool.random(using: &self) { return special.randomElement(using: &self) ?? 0 }
        let double = Double(bitPattern: next())
        return double.isFinite ? double : 2.5
    }
}

extension Value {
    /// An equal value, read completely from an encoding.
    func reencoded() throws -> Value {
        let bytes = try withEncodedBytes { Array($0) }
        return try EncodedValue(validating: bytes).value
    }
}

extension EncodedValue { var array: [UInt8] { withUnsafeBytes { Array($0) } } }

func thrown<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch { return error }
}
