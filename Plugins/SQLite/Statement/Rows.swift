import GRDB
import GRDBSQLite
import PlainValue
import WorkerKit

struct Rows: Sendable {
    let columns: [String]
    private(set) var rows: [Value.Record] = []

    /// Reads all rows. Throws a ``WorkerError`` if they are too many, too large, or no records.
    init(of statement: Statement, _ limits: inout Limits) throws {
        columns = statement.columnNames
        var seen: Set<String> = []
        for column in columns where !seen.insert(column).inserted {
            throw WorkerError(
                "bad_sql", "two columns have the name '\(column)'",
                help: "give one of them another name with AS")
        }
        let cursor = try Row.fetchCursor(statement)
        while try cursor.next() != nil {
            try limits.takeRow()
            var fields: [(String, Value)] = []
            for (index, column) in columns.enumerated() {
                guard let value = try Self.value(statement, index, column, &limits) else {
                    continue
                }
                fields.append((column, value))
            }
            rows.append(Value.Record(fields))
        }
    }

    /// A value of the current row; nil for NULL. GRDB would end a text at its first NUL.
    private static func value(
        _ statement: Statement, _ index: Int, _ column: String, _ limits: inout Limits
    ) throws(WorkerError) -> Value? {
        let row = statement.sqliteStatement
        let index = CInt(index)
        try limits.takeBytes(column.utf8.count + 8)
        switch sqlite3_column_type(row, index) {
        case SQLITE_INTEGER: return .int(Int(sqlite3_column_int64(row, index)))
        case SQLITE_FLOAT:
            let double = sqlite3_column_double(row, index)
            guard double.isFinite else {
                throw WorkerError(
                    "bad_value", "a value of the column '\(column)' is infinite",
                    help: "select it as text, with CAST(\(column) AS TEXT)")
            }
            return .double(double)
        case SQLITE_NULL: return nil
        case let type:
            let start = sqlite3_column_blob(row, index)
            let count = Int(sqlite3_column_bytes(row, index))
            try limits.takeBytes(count)
            let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
            if type == SQLITE_TEXT, let text = String(validating: bytes, as: UTF8.self) {
                return .string(text)
            }
            // Text that is not UTF-8 becomes a blob, so that it is not lost.
            return Blob.value(bytes)
        }
    }
}
