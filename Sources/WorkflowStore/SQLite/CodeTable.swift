import GRDB
import PlainValue

enum CodeTable {
    /// Adds files unless they are stored already.
    ///
    /// - Throws: A ``StoreError`` with the code `exists` if other files have the same hash.
    static func insert(_ code: FlowCode?, _ text: String?, _ db: Database) throws {
        guard let code, let text else { return }
        let search = try db.cachedStatement(sql: "SELECT main, files FROM code WHERE hash = ?")
        if let known = try Row.fetchOne(search, arguments: [code.hash]) {
            guard known[0] == code.main, known[1] == text else {
                throw StoreError(
                    .exists, "there are other files of a flow with the hash \(code.hash) already",
                    help: "change a file of the flow, if only in a comment")
            }
            return
        }
        try db.cachedStatement(sql: "INSERT INTO code (hash, main, files) VALUES (?, ?, ?)")
            .execute(arguments: [code.hash, code.main, text])
    }
}

extension FlowCode {
    /// The files as JSON, sorted by name.
    var text: String {
        Value.record(
            Value.Record(files.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        ).json
    }

    init(hash: String, main: String, text: String) throws {
        let files = try StoredValue.value(of: text).record ?? [:]
        self.init(
            hash: hash, main: main,
            // Two names may be one to Swift that are two in the text.
            files: Dictionary(files.map { ($0.key, $0.value.string ?? "") }) { first, _ in first })
    }
}
