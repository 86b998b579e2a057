import GRDB
import PlainValue
import WorkflowKit

// The numbers of a store are bounded here, where they are read.
extension Row {
    /// Reads a step, a version, a count or the number of a session: a whole number from 0 to 2⁵³.
    ///
    /// - Parameter id: The session.
    /// - Throws: A ``StoreError`` with the code `corrupted` for any other value.
    func natural(_ column: Int, of id: String) throws(StoreError) -> Int {
        guard let number = integer(column), Int.naturals.contains(number) else {
            throw .damaged(id, told(column))
        }
        return number
    }

    /// Reads a time in milliseconds since 1970; `nil` if there is none.
    ///
    /// - Throws: As ``natural(_:of:)``.
    func time(_ column: Int, of id: String) throws(StoreError) -> Int? {
        if hasNull(atIndex: column) { return nil }
        guard let time = integer(column), writtenTimes.contains(time) else {
            throw .damaged(id, told(column))
        }
        return time
    }

    /// Reads an id or a digest of 64 bits.
    ///
    /// - Throws: As ``natural(_:of:)``.
    func bits(_ column: Int, of id: String) throws(StoreError) -> UInt64 {
        guard let number = integer(column) else { throw .damaged(id, told(column)) }
        return UInt64(bitPattern: Int64(number))
    }

    private func integer(_ column: Int) -> Int? { Int.fromDatabaseValue(self[column]) }

    private func told(_ column: Int) -> String {
        "its \(Array(columnNames)[column]) is \(self[column] as DatabaseValue)"
    }
}

extension StoreError {
    static func damaged(_ id: String, _ reason: String) -> StoreError {
        StoreError(
            .corrupted, "the session '\(id)' is damaged: \(reason)",
            help: "restore the file from a copy, or delete the session")
    }
}
