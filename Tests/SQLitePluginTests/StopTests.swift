import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import Timers
import WorkerKit

@testable import SQLitePlugin

/// Runs that are stopped while their threads cannot be.
@Suite struct StopTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A run that blocks its thread until there is a signal, whatever happens.
    private final class Blocked: Sendable {
        private let (gate, started) = (ThreadSemaphore(), Latch())
        private let clock = TestClock(.held)
        private let run: Task<WorkerError?, Never>

        init(in folder: Folder, on threads: StatementThreads) {
            let file = DatabaseFile(path: folder.path + "/a.db", access: .write)
            run = Task { [gate, started, clock] in
                await failure {
                    try await file.use(
                        within: Limits(rows: nil, bytes: nil, timeout: 5),
                        WorkerContext(clock: clock), on: threads
                    ) { _, stop in
                        started.open()
                        gate.wait()
                        try stop.settle()
                    }
                }
            }
        }

        func whenStarted() async { await started.waitUntilOpen() }
        func timeOut() { clock.open() }
        func cancel() { run.cancel() }
        func release() { gate.signal() }
        var error: WorkerError? { get async { await run.value } }
    }

    private let threads = StatementThreads(limit: 9, mostLate: 3, patience: .zero)

    @Test func aRunIsAnsweredWithoutItsThread() async throws {
        let runs = (1...3).map { _ in Blocked(in: folder, on: threads) }
        for (count, run) in runs.enumerated() {
            await run.whenStarted()
            run.timeOut()
            #expect(
                await run.error
                    == WorkerError(
                        "timed_out", "the SQL took more than 5 seconds", help: "raise timeout"))
            while threads.late <= count { await Task.yield() }
        }
        #expect(
            await Blocked(in: folder, on: threads).error
                == WorkerError(
                    "busy", "3 statements that were stopped have not ended yet",
                    help: "try again later"))
        // A thread that ends gives its place back.
        for run in runs { run.release() }
        while threads.late > 0 { await Task.yield() }
        let run = Blocked(in: folder, on: threads)
        run.release()
        #expect(await run.error == nil)
    }

    @Test func aCancelledRunEndsWithoutItsThread() async throws {
        let run = Blocked(in: folder, on: threads)
        await run.whenStarted()
        run.cancel()
        #expect(await run.error?.code == "failed")
        while threads.late == 0 { await Task.yield() }
        run.release()
        while threads.late > 0 { await Task.yield() }
    }

    @Test func aRunThatIsStoppedBeforehandDoesNotStart() async throws {
        let gate = ThreadSemaphore()
        let one = StatementThreads(limit: 1, mostLate: 3, patience: .zero)
        try one.start(Stop()) { gate.wait() }
        let run = Blocked(in: folder, on: one)
        run.cancel()
        #expect(await run.error?.code == "failed")
        gate.signal()
        while one.late > 0 { await Task.yield() }
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
