/// Prints a value in the manner of Lua, up to a length.
struct ValuePrinter {
    private let maxLength: Int
    private var text = ""
    private var length = 0

    init(maxLength: Int) {
        self.maxLength = max(maxLength, 0)
    }

    /// What was printed, cut to the length.
    consuming func finish() -> String {
        guard length > maxLength else { return text }
        guard maxLength > 0 else { return "" }
        return String(text.unicodeScalars.prefix(maxLength - 1)) + "…"
    }

    mutating func print(_ value: Value) {
        switch value {
        case .null: print("null")
        case .bool(let bool): print(bool ? "true" : "false")
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
        // Whether a long key is a name matters only when all of it is printed.
        if LuaText.isName(key) { return print(key) }
        print("[")
        print(quoted: key)
        print("]")
    }

    private mutating func print(quoted string: String) {
        print("\"")
        var rest = string[...]
        while let first = rest.utf8.first {
            if isFull { return }
            if LuaText.isPlain(first) {
                // One more than fits says that it does not fit.
                let room = min(maxLength - length, rest.utf8.count)
                let run = rest.utf8.prefix(room + 1).prefix(while: LuaText.isPlain)
                text += rest[..<run.endIndex]
                length += run.count
                rest = rest[run.endIndex...]
            } else if first < 0x80 {
                let escape = LuaText.asciiEscapes[Int(first)]
                text += escape
                length += escape.utf8.count
                rest = rest[rest.utf8.index(after: rest.startIndex)...]
            } else {
                print(LuaText.escaped(rest.unicodeScalars.removeFirst()))
            }
        }
        print("\"")
    }

    private mutating func print(_ piece: String) {
        text += piece
        length += piece.unicodeScalars.count
    }

    private var isFull: Bool { length > maxLength }
}
