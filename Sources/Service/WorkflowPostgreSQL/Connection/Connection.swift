import CPostgreSQL
import LibC

/// A connection to a database. One thread at a time uses it, and waits for the answers.
///
/// `@unchecked Sendable` because it is handed from thread to thread by ``ConnectionPool`` and
/// ``AppendQueue``, which give it to one at a time.
final class Connection: @unchecked Sendable {
    private let connection: OpaquePointer
    private var prepared: Set<String> = []
    /// False behind a pooler that gives each transaction another connection to the server, and
    /// knows nothing of prepared statements.
    private var prepares = true

    /// Connects. Unless the address says otherwise, a server that is gone is noticed within some
    /// seconds, and of several servers the one that takes changes is chosen.
    init(_ address: DatabaseAddress) throws(DatabaseFailure) {
        let settings = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "3"),
            ("keepalives_interval", "1"), ("keepalives_count", "3"),
            ("target_session_attrs", "read-write"), ("fallback_application_name", "workflow"),
            ("dbname", address.text), ("client_encoding", "UTF8"),
        ]
        let keywords = CStrings(settings.map(\.0))
        let values = CStrings(settings.map(\.1))
        guard let made = workflow_pq_connectdbParams(keywords.pointers, values.pointers, 1) else {
            throw DatabaseFailure(state: "", message: "the memory is used up", isLost: true)
        }
        guard workflow_pq_status(made) == Int32(PQ_CONNECTION_OK) else {
            defer { workflow_pq_finish(made) }
            throw DatabaseFailure(state: "", message: Self.message(of: made), isLost: true)
        }
        // Notices are for people at a prompt.
        _ = workflow_pq_setNoticeProcessor(made, { _, _ in }, nil)
        connection = made
    }

    deinit { workflow_pq_finish(connection) }

    /// The version of the server, such as 150004.
    var serverVersion: Int { Int(workflow_pq_serverVersion(connection)) }

    /// True if the connection can be used, and is in no transaction.
    var isIdle: Bool {
        workflow_pq_status(connection) == Int32(PQ_CONNECTION_OK)
            && workflow_pq_transactionStatus(connection) == Int32(PQ_TRANSACTION_IDLE)
    }

    @discardableResult
    func execute(_ statement: Statement, _ parameters: [Parameter] = []) throws(DatabaseFailure)
        -> Rows
    {
        let bytes = parameters.map(\.bytes)
        guard prepares else { return try executeOnce(statement, parameters, bytes) }
        do throws(DatabaseFailure) {
            if !prepared.contains(statement.name) {
                var types = parameters.map(\.type)
                _ = try rows(
                    workflow_pq_prepare(
                        connection, statement.name, statement.sql, Int32(types.count), &types))
                prepared.insert(statement.name)
            }
            return try Self.withPointers(to: bytes) {
                (values, lengths, formats) throws(DatabaseFailure) in
                try rows(
                    workflow_pq_execPrepared(
                        connection, statement.name, Int32(bytes.count), values, lengths, formats,
                        0))
            }
        } catch {
            guard error.lacksStatement else { throw error }
            prepares = false
            return try executeOnce(statement, parameters, bytes)
        }
    }

    func execute(_ sql: String) throws(DatabaseFailure) {
        _ = try rows(workflow_pq_exec(connection, sql))
    }

    /// Runs statements in a transaction, which the server gives up if this process stops meanwhile.
    func transaction<Result>(_ isolation: String, _ body: () throws -> Result) throws -> Result {
        assert(isIdle, "a transaction begins within another one")
        try execute(
            "BEGIN \(isolation); SET LOCAL idle_in_transaction_session_timeout = '2s'")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // The first error is the one to tell. A connection that is lost has rolled back.
            try? execute("ROLLBACK")
            throw error
        }
    }

    private func executeOnce(
        _ statement: Statement, _ parameters: [Parameter], _ bytes: [[UInt8]?]
    ) throws(DatabaseFailure) -> Rows {
        var types = parameters.map(\.type)
        return try Self.withPointers(to: bytes) {
            (values, lengths, formats) throws(DatabaseFailure) in
            try rows(
                workflow_pq_execParams(
                    connection, statement.sql, Int32(bytes.count), &types, values, lengths, formats,
                    0))
        }
    }

    /// Gives pointers to parameters, which are all binary.
    private static func withPointers<Result>(
        to parameters: [[UInt8]?],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
        ) throws(DatabaseFailure) -> Result
    ) throws(DatabaseFailure) -> Result {
        // One block for all: each is followed by a zero, so that an empty one is not NULL.
        var block: [CChar] = []
        block.reserveCapacity(parameters.reduce(0) { $0 + ($1?.count ?? 0) + 1 })
        var starts: [Int?] = []
        for parameter in parameters {
            starts.append(parameter.map { _ in block.count })
            block.append(contentsOf: (parameter ?? []).lazy.map { CChar(bitPattern: $0) })
            block.append(0)
        }
        let lengths = parameters.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        return try block.withUnsafeBufferPointer { block throws(DatabaseFailure) in
            let values = starts.map { start in start.flatMap { block.baseAddress?.advanced(by: $0) }
            }
            return try body(values, lengths, formats)
        }
    }

    private func rows(_ result: OpaquePointer?) throws(DatabaseFailure) -> Rows {
        guard let result else { throw failure("", Self.message(of: connection)) }
        let rows = Rows(result)
        let status = workflow_pq_resultStatus(result)
        if status == Int32(PQ_TUPLES_OK) || status == Int32(PQ_COMMAND_OK) { return rows }
        let state = workflow_pq_resultErrorField(result, Int32(PQ_FIELD_SQLSTATE)).map {
            String(cString: $0)
        }
        let message = workflow_pq_resultErrorField(result, Int32(PQ_FIELD_MESSAGE))
        throw failure(
            state ?? "", message.map { String(cString: $0) } ?? Self.message(of: connection))
    }

    private func failure(_ state: String, _ message: String) -> DatabaseFailure {
        let isLost =
            workflow_pq_status(connection) != Int32(PQ_CONNECTION_OK) || state.hasPrefix("57P")
        return DatabaseFailure(state: state, message: message, isLost: isLost)
    }

    /// The message of libpq about a connection, on one line.
    private static func message(of connection: OpaquePointer) -> String {
        let message = workflow_pq_errorMessage(connection).map { String(cString: $0) } ?? ""
        return message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
    }
}

/// Strings for C: an array that ends with NULL.
private final class CStrings {
    private let strings: [UnsafeMutablePointer<CChar>?]
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>

    init(_ strings: [String]) {
        self.strings = strings.map { strdup($0) }
        pointers = .allocate(capacity: strings.count + 1)
        for (place, string) in self.strings.enumerated() { pointers[place] = UnsafePointer(string) }
        pointers[strings.count] = nil
    }

    deinit {
        for string in strings { free(string) }
        pointers.deallocate()
    }
}

/// The address of a database, as libpq takes it: a URI or pairs of `keyword=value`.
struct DatabaseAddress: Sendable {
    /// The whole address, which may hold a password.
    let text: String

    /// The address without its password, for messages.
    var redacted: String {
        guard let scheme = text.firstRange(of: "://") else { return "the database" }
        var rest = text[scheme.upperBound...]
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        if let at = rest[..<end].lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return "postgres://" + (rest.firstIndex(of: "?").map { rest[..<$0] } ?? rest)
    }
}

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
