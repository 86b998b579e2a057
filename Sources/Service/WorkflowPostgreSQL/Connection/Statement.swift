/// A statement that a connection prepares when it is first executed.
struct Statement: Sendable {
    /// Unique among the statements of this module.
    let name: String
    let sql: String

    init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}
