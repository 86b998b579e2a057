import WorkerKit

/// The names, keywords and parentheses of a statement, and the common tables that it defines.
struct StatementWords {
    struct Word {
        /// Without quotes, in lowercase as far as it is ASCII: SQLite compares names so.
        let text: [UInt8]
        /// False if this is a keyword or parenthesis. SQLite takes texts in any quotes for names.
        let isQuoted: Bool

        fileprivate func isKeyword(_ keyword: String) -> Bool {
            !isQuoted && text.elementsEqual(keyword.utf8)
        }
    }

    /// A common table, `name AS (…)` or `name (…) AS (…)` after a WITH.
    struct CommonTable {
        let name: [UInt8]
        /// The words of its definition.
        let body: Range<Int>
        /// The words among which the name may stand for it.
        let scope: Range<Int>
    }

    private(set) var words: [Word] = []

    init(_ sql: String) {
        var rest = Array(sql.utf8)[...]
        while let byte = rest.first {
            if let end = Self.closing(byte) {
                rest.removeFirst()
                words.append(Word(text: Self.removeQuoted(from: &rest, until: end), isQuoted: true))
            } else if Self.isOfWord(byte) {
                let word = rest.prefix(while: Self.isOfWord)
                rest.removeFirst(word.count)
                words.append(Word(text: word.map(\.lowercased), isQuoted: false))
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                rest.removeFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                rest.removeFirst()
                if byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") {
                    words.append(Word(text: [byte], isQuoted: false))
                }
            }
        }
    }

    /// The common tables in the order of their bodies.
    var commonTables: [CommonTable] {
        let others = parentheses
        var tables: [CommonTable] = []
        /// The place of the last WITH in each of the open parentheses, and the end of these.
        var levels: [(with: Int?, end: Int)] = [(nil, words.count)]
        for (place, word) in words.enumerated() {
            if word.isKeyword("(") { levels.append((nil, others[place] ?? words.count)) }
            if word.isKeyword(")"), levels.count > 1 { levels.removeLast() }
            if word.isKeyword("with") { levels[levels.count - 1].with = place }
            guard word.isKeyword("as"), let level = levels.last, let with = level.with else {
                continue
            }
            let start = words[(place + 1)...].firstIndex {
                !$0.isKeyword("not") && !$0.isKeyword("materialized")
            }
            guard let start, words[start].isKeyword("(") else { continue }
            let before = place - 1
            let name = words[before].isKeyword(")") ? (others[before] ?? 0) - 1 : before
            guard name > with else { continue }
            tables.append(
                CommonTable(
                    name: words[name].text, body: start..<(others[start] ?? words.count),
                    scope: with..<level.end))
        }
        return tables
    }

    /// The places of parentheses by those of their counterparts.
    private var parentheses: [Int: Int] {
        var others: [Int: Int] = [:]
        var open: [Int] = []
        for (place, word) in words.enumerated() {
            if word.isKeyword("(") { open.append(place) }
            if word.isKeyword(")"), let start = open.popLast() {
                others[start] = place
                others[place] = start
            }
        }
        return others
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte >= 0x80 || "_$".utf8.contains(byte)
    }

    /// The end of what a quote begins; nil if it is not a quote.
    private static func closing(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): byte
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    private static func removeQuoted(
        from rest: inout ArraySlice<UInt8>, until end: UInt8
    ) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == end {
                // A doubled quote stands for itself.
                guard end != UInt8(ascii: "]"), rest.first == end else { break }
                rest.removeFirst()
            }
            text.append(byte.lowercased)
        }
        return text
    }
}

extension UInt8 {
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
    }
}
