import CPostgreSQL
import LibC
import Synchronization
import Testing

@testable import WorkflowPostgreSQL

/// The server that Tests/postgres has started for the tests.
enum PostgreSQLServer {
    /// Its address without a database; `nil` if there is no server.
    static let address = getenv("WORKFLOW_POSTGRES").map { String(cString: $0) }

    private static let count = Atomic(0)

    static func makeDatabase() throws -> String {
        let address = try #require(address)
        try #require(workflow_pq_load() == nil)
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let name = "test_\(getpid())_\(number)"
        let connection = try Connection(DatabaseAddress(text: "\(address) dbname=postgres"))
        try connection.execute("CREATE DATABASE \(name)")
        return "\(address) dbname=\(name)"
    }

    static func endOthers(_ address: String) throws {
        try Connection(DatabaseAddress(text: address)).execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }
}
