import Testing
import WorkflowKit

@testable import WorkflowPostgreSQL
@testable import WorkflowStore

@Suite(.enabled(if: PostgreSQLServer.address != nil)) struct PostgreSQLSessionStoreTests {
    @Test func ofHostsThatStartAtOnceOnAnEmptyDatabaseOneMakesTheTables() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        let versions = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { try await PostgreSQLSessionStore(address).list().sessions.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(versions == Array(repeating: 0, count: 8))
    }

    @Test func aDatabaseWithoutAStoreIsNotMadeOneByReading() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        let error = await #expect(throws: StoreError.self) {
            try await PostgreSQLSessionStore(reading: address)
        }
        #expect(error?.code == .foreign)
        let store = try await PostgreSQLSessionStore(address)
        try await store.create("a")
        #expect(try await PostgreSQLSessionStore(reading: address).load("a").inputs == [])
    }

    @Test func aStoreOfANewerVersionIsRefused() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        _ = try await PostgreSQLSessionStore(address)
        let connection = try Connection(DatabaseAddress(text: address))
        try connection.execute("UPDATE workflow.store SET version = 99")
        for open in [PostgreSQLSessionStore.init(reading:), { try await .init($0) }] {
            let error = await #expect(throws: StoreError.self) { try await open(address) }
            #expect(error?.code == .newer)
        }
    }

    @Test func noMessageShowsAPassword() async throws {
        for address in [
            "postgres://ada:secret@localhost:1/flows", "postgres://localhost:1/x?password=secret",
            "host=/nowhere password=secret",
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await PostgreSQLSessionStore(address)
            }
            #expect(error?.code == .io)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
    }

    @Test func afterTheServerEndsAConnectionNothingIsLostOrStoredTwice() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        let store = try await PostgreSQLSessionStore(address)
        try await store.create("a")
        for step in 1...20 {
            try await store.add(step, to: "a")
            if step % 3 == 0 { try PostgreSQLServer.endOthers(address) }
        }
        #expect(try await store.load("a").inputs == (1...20).map(input))
        #expect(store.trouble == nil)
    }

    @Test func aChangeWhoseStatementTheServerBrokeOffOnceIsStoredOnce() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        let store = try await PostgreSQLSessionStore(address)
        try await store.create("a")
        try Connection(DatabaseAddress(text: address)).execute(
            """
            CREATE SEQUENCE workflow.falls;
            CREATE FUNCTION workflow.fall() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('workflow.falls') = 1 THEN
                    PERFORM pg_terminate_backend(pg_backend_pid());
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER fall AFTER INSERT ON workflow.input FOR EACH ROW
                WHEN (NEW.step = 2) EXECUTE FUNCTION workflow.fall();
            """)
        try await store.add(1, to: "a")
        #expect(try await store.add(2, to: "a") == 3)
        #expect(try await store.load("a").inputs == [input(1), input(2)])
    }

    @Test func manyChangesAtOnceShareStatementsAndARefusedOneConcernsNoOther() async throws {
        let statements = AsyncStream<Int>.makeStream()
        let store = try await PostgreSQLSessionStore(PostgreSQLServer.makeDatabase()) {
            statements.continuation.yield($0)
        }
        for n in 0..<300 { try await store.create("\(n)") }
        let change = SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 2000)
        let refused = await withTaskGroup { group in
            for n in 0..<300 {
                group.addTask {
                    let version = n % 7 == 0 ? 5 : 1
                    let stored = try? await store.append(change, to: "\(n)", expecting: version)
                    return (n, stored)
                }
            }
            return await group.reduce(into: [Int]()) { if $1.1 == nil { $0.append($1.0) } }
        }
        statements.continuation.finish()
        let sizes = await statements.stream.reduce(into: []) { $0.append($1) }
        #expect(refused.sorted() == (0..<300).filter { $0 % 7 == 0 })
        #expect(sizes.reduce(0, +) == 300)
        #expect(sizes.count < 100)
    }

    @Test func twoChangesOfOneSessionThatArriveTogetherAreJudgedOneByOne() async throws {
        let store = try await PostgreSQLSessionStore(PostgreSQLServer.makeDatabase())
        try await store.create("a")
        let outcomes = await withTaskGroup { group in
            for n in 1...40 {
                group.addTask {
                    let change = SessionChange(
                        keeping: 0, inputs: [input(n)], step: 1, milliseconds: 2000)
                    return (try? await store.append(change, to: "a", expecting: 1)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(outcomes == 1)
        #expect(try await store.summary(of: "a").version == 2)
    }

    @Test func aSessionAppendedToWhileItsPartitionIsTakenOverIsNotForgotten() async throws {
        let address = try PostgreSQLServer.makeDatabase()
        let one = try await PostgreSQLSessionStore(address, patience: .seconds(3600))
        _ = try await one.beat()
        for n in 0..<20 { try await one.create("\(n)") }
        let two = try await PostgreSQLSessionStore(address, patience: .seconds(3600))
        async let appended: Void = withThrowingTaskGroup { group in
            for n in 0..<20 {
                group.addTask {
                    let change = SessionChange(
                        keeping: 0, inputs: [input(1)], step: 1, wakeAt: n, milliseconds: 2000)
                    _ = try await one.append(change, to: "\(n)", expecting: 1)
                }
            }
            try await group.waitForAll()
        }
        try Connection(DatabaseAddress(text: address)).execute("UPDATE workflow.host SET seen = 0")
        var taken = try await two.beat().taken
        try await appended
        taken += try await two.beat().taken
        #expect(Set(taken.map(\.milliseconds)) == Set(0..<20))
    }
}
