import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import Timers
import WorkerKit

@testable import SQLite

/// Runs that are stopped while their threads cannot be.
@Suite struct StopTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Starts a run that blocks its thread until there is a signal, whatever happens.
    private func block(
        _ gate: ThreadSemaphore, on threads: StatementThreads, _ clock: any Clock<Duration>
    ) async -> WorkerError? {
        let file = DatabaseFile(path: folder.path + "/a.db", access: .write)
        return await failure {
            try await file.use(
                within: Limits(rows: nil, bytes: nil, timeout: 5), WorkerContext(clock: clock),
                on: threads
            ) { _, stop in
                gate.wait()
                try stop.settle()
            }
        }
    }

    @Test func aRunIsAnsweredWithoutItsThread() async throws {
        let threads = StatementThreads(limit: 9, mostLate: 3, patience: .zero)
        let (gate, clock) = (ThreadSemaphore(), Gate())
        clock.open()
        for count in 1...3 {
            #expect(
                await block(gate, on: threads, clock)
                    == WorkerError(
                        "timed_out", "the SQL took more than 5 seconds", help: "raise timeout"))
            while threads.late < count { await Task.yield() }
        }
        #expect(
            await block(gate, on: threads, clock)
                == WorkerError(
                    "busy", "3 statements that were stopped have not ended yet",
                    help: "try again later"))
        // A thread that ends gives its place back.
        for _ in 1...3 { gate.signal() }
        while threads.late > 0 { await Task.yield() }
        gate.signal()
        #expect(await block(gate, on: threads, ContinuousClock()) == nil)
    }

    @Test func aCancelledRunEndsWithoutItsThread() async throws {
        let threads = StatementThreads(limit: 9, mostLate: 3, patience: .zero)
        let gate = ThreadSemaphore()
        let run = Task { await block(gate, on: threads, Gate()) }
        run.cancel()
        #expect(await run.value?.code == "failed")
        while threads.late == 0 { await Task.yield() }
        gate.signal()
        while threads.late > 0 { await Task.yield() }
    }

    @Test func aResultThatIsSettledCounts() throws {
        let settled = Stop()
        try settled.settle()
        settled.set(CancellationError())
        #expect(settled.reason == nil)
        #expect(!settled.isSet)
        let stopped = Stop()
        stopped.set(WorkerError("timed_out", "late"))
        stopped.set(CancellationError())
        #expect(stopped.reason as? WorkerError == WorkerError("timed_out", "late"))
        #expect(throws: CancellationError.self) { try stopped.settle() }
        stopped.finish()
        #expect(stopped.isSet)
    }

    /// SQLite counts the rows of a table in one step, during which it only sees interrupts.
    @Test func aStopInterruptsTheStatement() throws {
        let stop = Stop()
        let connection = try DatabaseQueue()
        try connection.inDatabase { database in
            try database.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            database.add(
                function: DatabaseFunction("stop", argumentCount: 0) { _ in
                    stop.set(CancellationError())
                    return 1
                })
            #expect(throws: CancellationError.self) {
                try StatementGuard.watching(stop, on: database) {
                    try Row.fetchAll(database, sql: "SELECT stop(), (SELECT count(*) FROM t)")
                }
            }
            // The connection can be used on.
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM t") == 1)
        }
    }
}
