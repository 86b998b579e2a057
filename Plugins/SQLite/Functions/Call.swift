import GRDBSQLite

/// A call of an SQL function: its arguments, and its result, which is NULL unless given. The bytes
/// of an argument are valid until the call returns or another way to read it is used.
struct Call {
    private let context: OpaquePointer?
    private let arguments: UnsafeMutablePointer<OpaquePointer?>?
    let count: Int

    init(
        _ context: OpaquePointer?, _ count: CInt,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        self.context = context
        self.count = Int(count)
        self.arguments = arguments
    }

    // MARK: Arguments

    func isBlob(_ index: Int) -> Bool { sqlite3_value_type(arguments?[index]) == SQLITE_BLOB }

    /// An argument as UTF-8; nil for NULL.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let start = sqlite3_value_text(arguments?[index]) else { return nil }
        return UnsafeBufferPointer(
            start: start, count: Int(sqlite3_value_bytes(arguments?[index])))
    }

    /// The bytes of a blob, or those of any other value as text; nil for NULL.
    func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard isBlob(index) else { return text(index) }
        let start = sqlite3_value_blob(arguments?[index])?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(arguments?[index])))
    }

    var maximumLength: Int { limit(SQLITE_LIMIT_LENGTH) }

    var maximumPatternLength: Int { limit(SQLITE_LIMIT_LIKE_PATTERN_LENGTH) }

    private func limit(_ kind: CInt) -> Int {
        Int(sqlite3_limit(sqlite3_context_db_handle(context), kind, -1))
    }

    // MARK: Results

    func give(_ number: Int) { sqlite3_result_int64(context, sqlite3_int64(number)) }

    func giveArgument(_ index: Int) { sqlite3_result_value(context, arguments?[index]) }

    func give(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let copy = sqlite3_malloc64(UInt64(text.count + 1)) else {
            return sqlite3_result_error_nomem(context)
        }
        UnsafeMutableRawBufferPointer(start: copy, count: text.count + 1).copyBytes(from: text)
        sqlite3_result_text64(
            context, copy.assumingMemoryBound(to: CChar.self), UInt64(text.count),
            { sqlite3_free($0) }, UInt8(SQLITE_UTF8))
    }

    func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

    func failTooBig() { sqlite3_result_error_toobig(context) }

    func failInterrupted() { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
}

extension UInt8 {
    /// True if this byte of UTF-8 is not the first of its character.
    var continuesCharacter: Bool { self & 0xC0 == 0x80 }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes before the first NUL.
    var untilNUL: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: prefix { $0 != 0 })
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Removes the first character, and returns its bytes as a number; 0 for more than eight.
    mutating func removeFirstCharacter() -> UInt64 {
        var character = UInt64(removeFirst())
        var count = 1
        if character >= 0xC0 {
            while let byte = first, byte.continuesCharacter {
                removeFirst()
                character = character << 8 | UInt64(byte)
                count += 1
            }
        }
        return count <= 8 ? character : 0
    }
}
