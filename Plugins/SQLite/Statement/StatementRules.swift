import GRDBSQLite

/// The actions that a flow's statement must not take: reach another file, run code that is not part
/// of SQLite, or change the connection, which other runs share.
enum StatementRules {
    /// A description of the action if it is refused. The action says what the texts mean.
    static func refusal(of action: CInt, _ first: String?, _ second: String?) -> String? {
        let name = (first ?? "").lowercased()
        switch action {
        case SQLITE_ATTACH: return "ATTACH or VACUUM"
        case SQLITE_DETACH: return "DETACH"
        case SQLITE_TRANSACTION: return "\(first ?? "BEGIN"); sqlite.transaction has one around it"
        case SQLITE_SAVEPOINT: return "SAVEPOINT; sqlite.transaction is all or nothing"
        case SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_VIEW,
            SQLITE_CREATE_TEMP_TRIGGER:
            return "a temporary table, index, view or trigger"
        case SQLITE_CREATE_VTABLE:
            let module = (second ?? "").lowercased()
            return modules.contains(module) ? nil : "the virtual table '\(module)'"
        case SQLITE_FUNCTION:
            let function = (second ?? "").lowercased()
            return deniedFunctions.contains(function) ? "the function \(function)" : nil
        case SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            return deniedTables.contains(name) ? "the table \(name)" : nil
        case SQLITE_PRAGMA:
            let isAllowed =
                pragmas.contains(name) || second == nil && readablePragmas.contains(name)
            return isAllowed ? nil : "PRAGMA \(name)\(second == nil ? "" : " with a value")"
        default: return nil
        }
    }

    /// Virtual table modules that store all data in the database.
    private static let modules: Set<String> = [
        "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly", "rtree", "rtree_i32",
    ]

    private static let deniedFunctions: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "readfile", "writefile",
        // Their time grows with the square of the text's length, and nothing can stop them.
        "geopoly_overlap", "geopoly_within", "highlight", "json_patch", "snippet",
    ]

    /// Tables that expose the pages of the file or the statements of the connection.
    private static let deniedTables: Set<String> = [
        "bytecode", "sqlite_dbpage", "sqlite_stmt", "tables_used",
    ]

    /// Pragmas that read the schema or change only the database.
    private static let pragmas: Set<String> = [
        "application_id", "defer_foreign_keys", "foreign_key_check", "foreign_key_list",
        "index_info", "index_list", "index_xinfo", "integrity_check", "quick_check", "table_info",
        "table_list", "table_xinfo", "user_version",
    ]

    /// Pragmas that would change the connection if they were given a value.
    private static let readablePragmas: Set<String> = [
        "collation_list", "compile_options", "data_version", "encoding", "foreign_keys",
        "freelist_count", "function_list", "page_count", "page_size", "schema_version",
    ]
}
