import PlainValue

/// What a statement that may change something has done, as flows receive it.
struct StatementResult: Codable, Sendable {
    /// How many rows were inserted, changed or deleted, not counting what triggers did.
    var changes: Int
    /// The id of the last row that was inserted, if any was.
    var last_id: Int?
    /// Of a statement that gives rows, such as one with RETURNING: the rows.
    var rows: [Value.Record]?
    var columns: [String]?
}
