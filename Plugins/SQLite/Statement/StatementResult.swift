import PlainValue

/// The result of a statement that may change the database, as flows receive it.
struct StatementResult: Codable, Sendable {
    /// The number of inserted, changed or deleted rows, without those of triggers.
    var changes: Int
    /// The id of the last inserted row, if any.
    var last_id: Int?
    /// The rows, if the statement returns any, such as one with RETURNING.
    var rows: [Value.Record]?
    var columns: [String]?
}
