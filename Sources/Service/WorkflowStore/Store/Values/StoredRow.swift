import PlainValue
import WorkflowKit

/// A row that a database gave. The numbers of a store are bounded here, where they are read.
package protocol StoredRow {
    /// The whole number in a column; `nil` for NULL and any other value.
    func integer(_ column: Int) -> Int?
    /// The text in a column; `nil` for NULL.
    func text(_ column: Int) -> String?
    func isNull(_ column: Int) -> Bool
    func name(_ column: Int) -> String
}

extension StoredRow {
    /// A step, a version, a count or the number of a session: a whole number from 0 to 2⁵³. Throws
    /// `corrupted` for any other value.
    package func natural(_ column: Int, of id: String) throws(StoreError) -> Int {
        guard let number = integer(column), Int.naturals.contains(number) else {
            throw .damaged(id, told(column))
        }
        return number
    }

    /// In milliseconds since 1970; `nil` if there is none. Throws as ``natural(_:of:)``.
    package func time(_ column: Int, of id: String) throws(StoreError) -> Int? {
        if isNull(column) { return nil }
        guard let time = integer(column), writtenTimes.contains(time) else {
            throw .damaged(id, told(column))
        }
        return time
    }

    /// An id or a digest of 64 bits. Throws as ``natural(_:of:)``.
    package func bits(_ column: Int, of id: String) throws(StoreError) -> UInt64 {
        guard let number = integer(column) else { throw .damaged(id, told(column)) }
        return UInt64(bitPattern: Int64(number))
    }

    private func told(_ column: Int) -> String {
        "its \(name(column)) is \(text(column) ?? "NULL")"
    }
}

extension SessionSummary {
    /// Reads a summary.
    ///
    /// - Parameter row: The columns `id`, `number`, `flow`, `code`, `version`, `change`, `step`,
    ///   `step_count`, `wake_at`, `created`, `updated`, `first_step`, `screen`, and the owner of
    ///   the partition.
    package init(_ row: some StoredRow, readBy host: Int?) throws(StoreError) {
        let id = row.text(0) ?? ""
        self.init(
            id: id, number: try row.natural(1, of: id), flow: row.text(2) ?? "", code: row.text(3),
            version: try row.natural(4, of: id), screen: try row.natural(12, of: id),
            change: try row.bits(5, of: id),
            step: try row.natural(6, of: id), stepCount: try row.natural(7, of: id),
            firstStep: try row.natural(11, of: id), wakeAt: try row.time(8, of: id),
            created: try row.time(9, of: id) ?? 0, updated: try row.time(10, of: id) ?? 0)
        guard max(step, firstStep) <= stepCount else {
            throw .damaged(id, "it stands at step \(step) of \(stepCount)")
        }
        // A session with workers that is nobody's is soon adopted, and until then 0 holds it.
        let owner = row.integer(13) ?? (wakeAt == nil ? nil : 0)
        if let host, let owner, owner != host { holder = owner }
    }

    package var steps: ClosedRange<Int> { firstStep...stepCount }
}

extension WakeUp {
    /// Takes the columns `number` and `wake_at`; `nil` if the number of the session is damaged.
    package init?(_ row: some StoredRow) {
        guard let number = try? row.natural(0, of: "") else { return nil }
        // One that is damaged is opened at once, which says what it lacks.
        let time = try? row.time(1, of: "")
        self.init(number: number, milliseconds: time ?? 0)
    }
}
