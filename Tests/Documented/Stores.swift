import FlowService
import SessionPlugin
import WorkflowKit
import WorkflowPostgreSQL
import WorkflowStore

/// Values that the examples of stored and served sessions take for granted.
protocol Stored {}

extension Stored {
    static var check: CodeCheck { given() }
    static var hangUps: AsyncStream<Void> { given() }
    static var input: FlowInput { given() }
    static var key: RequestKey { given() }
    static var moment: SessionMoment { given() }
    static var now: Int { given() }
    static var pool: SessionPool { given() }
    static var service: FlowService { given() }
    static var session: StoredSession { given() }
    static var slot: SessionServiceSlot { given() }
    static var snapshot: FlowSnapshot { given() }
    static var summary: SessionSummary { given() }
}

/// Examples that take the options of a service for granted, too.
protocol Served: Stored {}

extension Served {
    static var options: ServiceOptions {
        get { given() }
        set {}
    }
}

enum CodeCheckExamples: Stored {}
enum FlowServiceExamples: Served {}
enum PostgreSQLSessionStoreExamples { static var store: PostgreSQLSessionStore { given() } }
enum RequestKeyExamples: Stored {}
enum SQLiteSessionStoreCreatingExamples: Stored {}
enum SQLiteSessionStoreWritingExamples: Stored {}
enum ServiceAccessExamples: Served {}
enum SessionChangeExamples: Stored {}
enum SessionPluginExamples: Stored {}
enum SessionPoolExamples: Stored {}
enum SessionPoolPlacesExamples: Stored {}
enum SessionServiceExamples { static var service: any SessionService { given() } }
enum StoredSessionCallsExamples: Stored {}
enum StoredSessionExamples: Stored {}
enum StoredSessionMomentsExamples: Stored {}
enum StoredSessionRequestsExamples: Stored {}
enum StoredSessionTimelineExamples: Stored {}
