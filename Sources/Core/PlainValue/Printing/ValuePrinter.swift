/// Prints a value in Lua's notation, up to a length.
struct ValuePrinter {
    private let maxLength: Int
    private var text = ""
    private var length = 0

    init(maxLength: Int) {
        self.maxLength = max(maxLength, 0)
    }

    consuming func finish() -> String {
        guard length > maxLength else { return text }
        guard maxLength > 0 else { return "" }
        return String(text.unicodeScalars.prefix(maxLength - 1)) + "…"
    }

    mutating func print(_ value: Value) {
        switch value {
        case .null: print("null")
        case .bool(let bool): print(bool ? "true" : "false")
        // Lua reads the decimal digits of this one as a float, and itself writes it so by `%q`.
        case .int(.min): print("0x8000000000000000")
        case .int(let int): print("\(int)")
        case .double(let double): print("\(double)")
        case .string(let string): print(quoted: string)
        case .list(let list):
            print(list) { printer, element in printer.print(element) }
        case .record(let record):
            print(record) { printer, entry in
                printer.print(key: entry.key)
                printer.print(" = ")
                printer.print(entry.value)
            }
        }
    }

    private mutating func print<Elements: Collection>(
        _ elements: Elements, each: (inout ValuePrinter, Elements.Element) -> Void
    ) {
        guard !elements.isEmpty else { return print("{}") }
        var separator = "{ "
        for element in elements {
            print(separator)
            each(&self, element)
            separator = ", "
            if isFull { return }
        }
        print(" }")
    }

    private mutating func print(key: String) {
        if LuaText.isName(key) { return print(key) }
        print("[")
        print(quoted: key)
        print("]")
    }

    private mutating func print(quoted string: String) {
        print("\"")
        var string = string
        // By bytes: a text may be long, and escapes take many times its length.
        text += string.withUTF8 { bytes in
            var piece: [UInt8] = []
            var index = 0
            while index < bytes.count, !isFull {
                let first = bytes[index]
                if LuaText.isPlain(first) {
                    // One scalar more than fits shows that the text does not fit.
                    let end = index + min(maxLength - length, bytes.count - index - 1) + 1
                    let run = bytes[index..<end].prefix(while: LuaText.isPlain)
                    piece += run
                    length += run.count
                    index = run.endIndex
                } else if first < 0x80 {
                    let escape = LuaText.asciiEscapes[Int(first)]
                    piece += escape
                    length += escape.count
                    index += 1
                } else {
                    let (scalar, width) = Self.scalar(in: bytes, at: index)
                    let escape = LuaText.escaped(scalar)
                    piece += escape.utf8
                    length += escape.unicodeScalars.count
                    index += width
                }
            }
            return String(decoding: piece, as: UTF8.self)
        }
        print("\"")
    }

    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (Unicode.Scalar, Int) {
        var decoder = UTF8()
        var rest = bytes[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }

    private mutating func print(_ piece: String) {
        text += piece
        length += piece.unicodeScalars.count
    }

    private var isFull: Bool { length > maxLength }
}
