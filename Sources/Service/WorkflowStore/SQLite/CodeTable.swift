import GRDB

enum CodeTable {
    /// Throws `exists` if other files have the same hash.
    static func insert(_ code: FlowCode?, _ text: String?, _ db: Database) throws {
        guard let code, let text else { return }
        let search = try db.cachedStatement(sql: "SELECT main, files FROM code WHERE hash = ?")
        if let known = try Row.fetchOne(search, arguments: [code.hash]) {
            guard known[0] == code.main, known[1] == text else {
                throw StoreError.otherFiles(code.hash)
            }
            return
        }
        try db.cachedStatement(sql: "INSERT INTO code (hash, main, files) VALUES (?, ?, ?)")
            .execute(arguments: [code.hash, code.main, text])
    }
}
