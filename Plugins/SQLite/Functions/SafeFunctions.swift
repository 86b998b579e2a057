import GRDB
import GRDBSQLite

/// Replaces functions of SQLite whose time grows with the product of their arguments' lengths, and
/// that nothing can stop, by others whose time grows with the sum, or that can be stopped.
enum SafeFunctions {
    private typealias Function =
        @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static let functions: [(name: String, arguments: CInt, Function)] = [
        ("instr", 2, { instr(Call($0, $1, $2)) }),
        ("replace", 3, { replace(Call($0, $1, $2)) }),
        ("trim", 1, { trim(Call($0, $1, $2), atStart: true, atEnd: true) }),
        ("trim", 2, { trim(Call($0, $1, $2), atStart: true, atEnd: true) }),
        ("ltrim", 1, { trim(Call($0, $1, $2), atStart: true, atEnd: false) }),
        ("ltrim", 2, { trim(Call($0, $1, $2), atStart: true, atEnd: false) }),
        ("rtrim", 1, { trim(Call($0, $1, $2), atStart: false, atEnd: true) }),
        ("rtrim", 2, { trim(Call($0, $1, $2), atStart: false, atEnd: true) }),
        ("like", 2, { match(Call($0, $1, $2), .like) }),
        ("like", 3, { match(Call($0, $1, $2), .like) }),
        ("glob", 2, { match(Call($0, $1, $2), .glob) }),
    ]

    static func install(on connection: SQLiteConnection?) throws {
        for (name, arguments, function) in functions {
            let status = sqlite3_create_function_v2(
                connection, name, arguments,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, function, nil, nil, nil)
            guard status == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: status))
            }
        }
    }

    /// The place of the second argument in the first, in characters, of blobs in bytes; 0 if none.
    private static func instr(_ call: Call) {
        guard let text = call.bytes(0), let part = call.bytes(1) else { return }
        let countsBytes = call.isBlob(0) && call.isBlob(1)
        guard !part.isEmpty else { return call.give(1) }
        // A part that begins within a character is only found at the very beginning.
        let place =
            !countsBytes && part[0].continuesCharacter
            ? (text.starts(with: part) ? 0 : nil) : TextSearch(for: part).firstPlace(in: text)
        guard let place else { return call.give(0) }
        let before = text[..<place]
        call.give(1 + (countsBytes ? place : before.count { !$0.continuesCharacter }))
    }

    private static func replace(_ call: Call) {
        guard let text = call.text(0), let part = call.text(1) else { return }
        guard let first = part.first, first != 0 else { return call.giveArgument(0) }
        guard let replacement = call.text(2) else { return }
        let search = TextSearch(for: part)
        var output: [UInt8] = []
        var start = 0
        while let place = search.firstPlace(in: text, from: start) {
            output += text[start..<place]
            output += replacement
            guard output.count <= call.maximumLength else { return call.failTooBig() }
            start = place + part.count
        }
        output += text[start...]
        output.withUnsafeBufferPointer { call.give($0[...]) }
    }

    /// Removes characters of the second argument, by default spaces, at the ends of the first.
    private static func trim(_ call: Call, atStart: Bool, atEnd: Bool) {
        guard let text = call.text(0) else { return }
        var characters: Set<UInt64> = [UInt64(UInt8(ascii: " "))]
        if call.count == 2 {
            guard let given = call.text(1) else { return }
            characters = []
            var rest = given.untilNUL[...]
            while !rest.isEmpty { characters.insert(rest.removeFirstCharacter()) }
        }
        var rest = text[...]
        while atStart, !rest.isEmpty {
            var next = rest
            guard characters.contains(next.removeFirstCharacter()) else { break }
            rest = next
        }
        while atEnd, !rest.isEmpty {
            var start = rest.endIndex - 1
            while start > rest.startIndex, rest[start].continuesCharacter { start -= 1 }
            var last = rest[start...]
            guard characters.contains(last.removeFirstCharacter()) else { break }
            rest = rest[..<start]
        }
        call.give(rest)
    }

    /// `pattern LIKE text`, with an escape character as the third argument, or `text GLOB pattern`.
    private static func match(_ call: Call, _ kind: TextPattern.Kind) {
        // As in builds of SQLite that Linux distributions have.
        guard !call.isBlob(0), !call.isBlob(1) else { return call.give(0) }
        let (pattern, text) = (call.text(0), call.text(1))
        guard pattern?.count ?? 0 <= call.maximumPatternLength else {
            return call.fail("LIKE or GLOB pattern too complex")
        }
        var escape: UnsafeBufferPointer<UInt8>?
        if call.count == 3 {
            guard let given = call.text(2) else { return }
            guard given.count(where: { !$0.continuesCharacter }) == 1 else {
                return call.fail("ESCAPE expression must be a single character")
            }
            escape = given
        }
        guard let pattern, let text else { return }
        let matcher = TextPattern(pattern.untilNUL, kind, escape: escape)
        do {
            call.give(try matcher.matches(text.untilNUL) ? 1 : 0)
        } catch {
            call.failInterrupted()
        }
    }
}
