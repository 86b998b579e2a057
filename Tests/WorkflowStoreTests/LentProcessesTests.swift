import LibC
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkerKit
@testable import WorkflowKit
import WorkflowLua
import WorkflowStore

#if os(Linux)
    @Suite(.serialized) struct LentProcessesTests {
        private let folder: Folder
        private let store: SQLiteSessionStore

        init() throws {
            folder = try Folder()
            store = try SQLiteSessionStore(
                path: folder.path("sessions.sqlite"), synchronization: .normal)
        }

        private func pool(
            _ processes: ScriptProcesses?, of source: FlowSource = .diary,
            limits: LuaVM.Options = .unhurried,
            onStart: @escaping @Sendable (Int) async -> Void = { _ in },
            onNews: @escaping @Sendable (String, SessionNews) -> Void = { _, _ in }
        ) throws -> SessionPool {
            var options = try FlowOptions.test(onStart: onStart)
            options.limits = limits
            if let processes {
                options.isolation = .process
                options.processes = processes
            }
            let opening = (source, options)
            return SessionPool(
                in: store, threads: SessionPool.coreCount + (processes?.limit ?? 0), onNews: onNews
            ) { _, _ in opening }
        }

        private static func processes(_ limit: Int) -> ScriptProcesses {
            ScriptProcesses(limit: limit, patience: .seconds(1_000_000))
        }

        private func entries(of id: String, in pool: SessionPool) async throws -> [Int] {
            try await pool.use(id) { session in
                await session.rendering["entries"]?.list?.compactMap(\.int) ?? []
            }
        }

        private func processID(of id: String, in pool: SessionPool) async throws -> Int32? {
            try await pool.use(id) { try await $0.look { $0.processID } }
        }

        @Test func aSessionGoesOnWhereItWasWhenAnotherOneHadTheProcess() async throws {
            let processes = Self.processes(1)
            let (pool, other) = (try pool(processes), try pool(nil))
            for round in 1...5 {
                for (name, pool) in [("a", pool), ("b", pool), ("c", other)] {
                    try await pool.use(name) { session in
                        try await session.send(["type": "roll"])
                        try await session.send(["type": "add", "n": .int(round)])
                    }
                }
            }
            let expected = try await entries(of: "c", in: other)
            #expect(expected.count == 10)
            #expect(try await entries(of: "a", in: pool) == expected)
            #expect(try await entries(of: "b", in: pool) == expected)
            #expect(try await processID(of: "a", in: pool) == nil)
            #expect(try await processID(of: "b", in: pool) != nil)
            // Each took it from the other, except the first.
            #expect(processes.counts.held == 1)
            #expect(processes.counts.handovers == 9)
            #expect(processes.counts.waits == 0)
            _ = await pool.close()
            _ = await other.close()
        }

        @Test func twoHundredSessionsGoOnInFourProcessesThatAreKilled() async throws {
            let processes = Self.processes(4)
            let pool = try pool(processes)
            let most = await withTaskGroup { group in
                for id in 0..<200 {
                    group.addTask {
                        var most = 0
                        await #expect(throws: Never.self) {
                            for n in 1...3 {
                                try await pool.use("s\(id)") { session in
                                    try await session.send(["type": "add", "n": .int(n)])
                                    guard (id + n) % 7 == 0 else { return }
                                    // While the process is idle.
                                    try await session.perform { session in
                                        if let process = session.processID {
                                            kill(process, SIGKILL)
                                        }
                                    }
                                }
                                most = max(most, processes.counts.held)
                            }
                        }
                        return most
                    }
                }
                return await group.reduce(0) { max($0, $1) }
            }
            #expect(most == 4)
            for id in 0..<200 { #expect(try await entries(of: "s\(id)", in: pool) == [1, 2, 3]) }
            #expect(processes.counts.lent == 0)
            let deaths = processes.counts.deaths
            try await pool.use("s0") { session in
                try await session.send(["type": "add", "n": 4])
                let process = try await session.perform { $0.processID }
                kill(try #require(process), SIGKILL)
                // The process may die of the first action, but not of the second.
                _ = try? await session.send(["type": "add", "n": 5])
                try await session.send(["type": "add", "n": 6])
            }
            #expect(processes.counts.deaths == deaths + 1)
            _ = await pool.close()
            #expect(processes.counts.held == 0)
        }

        @Test func theOutputOfAWorkerIsAppliedAlthoughItsSessionHasNoProcess() async throws {
            let processes = Self.processes(1)
            let (news, tell) = AsyncStream<(String, Int)>.makeStream()
            let gate = Latch()
            let pool = try pool(
                processes, of: .follower, onStart: { _ in await gate.waitUntilOpen() },
                onNews: { id, news in
                    tell.yield((id, news.moment.rendering["entries"]?.list?.count ?? 0))
                })
            try await pool.use("a") { try await $0.send(["type": "follow", "last": 3]) }
            try await pool.use("b") { try await $0.send(["type": "follow", "last": 0]) }
            #expect(try await processID(of: "a", in: pool) == nil)
            gate.open()
            for await (id, count) in news where id == "a" && count == 3 { break }
            #expect(try await entries(of: "a", in: pool) == [1, 2, 3])
            #expect(processes.counts.held == 1)
            _ = await pool.close()
        }

        @Test func manyWorkersSpeakThroughFewProcesses() async throws {
            let processes = Self.processes(2)
            let pool = try pool(processes, of: .follower)
            await withTaskGroup { group in
                for id in 0..<30 {
                    group.addTask {
                        await #expect(throws: Never.self) {
                            try await pool.use("s\(id)") { session in
                                try await session.send(["type": "follow", "last": 5])
                                try await session.untilIdle()
                            }
                        }
                    }
                }
            }
            for id in 0..<30 {
                #expect(try await entries(of: "s\(id)", in: pool) == [1, 2, 3, 4, 5])
            }
            #expect(processes.counts.held <= 2)
            _ = await pool.close()
        }

        /// It aborts, loops, replies invalidly, ends, takes all memory, reads an invalid address.
        @Test(arguments: 7..<UInt32(13))
        func whateverAProcessDoesCostsOneCall(what: UInt32) async throws {
            let processes = Self.processes(2)
            var limits = LuaVM.Options.unhurried
            // What loops is ended when its time is over. That is enough for calls that end.
            if what == 8 {
                limits.timeLimit = .seconds(5)
                limits.isolationGrace = .seconds(1)
            }
            let pool = try pool(processes, limits: limits)
            for name in ["a", "b"] {
                try await pool.use(name) { try await $0.send(["type": "add", "n": 1]) }
            }
            async let failed = #expect(throws: FlowError.self) {
                try await pool.use("a") { session in
                    try await session.perform { try $0.player.flow?.tryForbidden(what) }
                    // The next call finds its unrequested message.
                    try await session.send(["type": "add", "n": 2])
                }
            }
            for n in 2...5 {
                try await pool.use("b") { try await $0.send(["type": "add", "n": .int(n)]) }
            }
            #expect(await failed?.code == .processEnded)
            try await pool.use("a") { try await $0.send(["type": "add", "n": 3]) }
            #expect(try await entries(of: "a", in: pool) == [1, 3])
            #expect(try await entries(of: "b", in: pool) == [1, 2, 3, 4, 5])
            #expect(processes.counts.deaths == 1)
            _ = await pool.close()
        }

        @Test func lookingNeedsNoProcess() async throws {
            let processes = Self.processes(1)
            let pool = try pool(processes)
            for name in ["a", "b"] {
                try await pool.use(name) { try await $0.send(["type": "add", "n": 1]) }
            }
            #expect(try await pool.use("a") { try await $0.moment().rendering["entries"] } == [1])
            await pool.close("a")
            #expect(try await store.summary(of: "a").step == 1)
            #expect(processes.counts.handovers == 1)
            _ = await pool.close()
        }
    }
#endif
