import WorkflowStore

/// The files of flows.
enum CodeStatement {
    /// Throws `exists` if other files have the same hash.
    static func insert(_ code: FlowCode?, _ connection: Connection) throws {
        guard let code else { return }
        let text = code.text
        let rows = try connection.execute(
            insertion, [.text(code.hash), .text(code.main), .text(text)])
        if rows.first?.text(0) == "t" { return }
        let known = try connection.execute(search, [.text(code.hash)]).first
        guard known?.text(0) == code.main, known?.text(1) == text else {
            throw StoreError.otherFiles(code.hash)
        }
    }

    static func find(_ hash: String, _ connection: Connection) throws -> FlowCode? {
        let row = try connection.execute(search, [.text(hash)]).first
        guard let row, let main = row.text(0), let text = row.text(1) else { return nil }
        return try FlowCode(hash: hash, main: main, text: text)
    }

    private static let insertion = Statement(
        "insert_code",
        """
        WITH made AS (
            INSERT INTO workflow.code (hash, main, files) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING RETURNING hash)
        SELECT EXISTS (SELECT FROM made)
        """)
    private static let search = Statement(
        "find_code", "SELECT main, files FROM workflow.code WHERE hash = $1")
}
