import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins
import WorkflowStore

@Suite struct RefusedOutputStoreTests {
    private struct Giver: EmittingPluginWorker {
        static let name = "test.give"
        static let summary = "Gives two numbers."

        struct Input: Codable, Sendable {}

        func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<Int>) async throws {
            try await outputs.send(1)
            try await outputs.send(2)
        }
    }

    private static func flow(takingUpTo limit: Int) -> FlowSource {
        .text(
            """
            return {
                name = "sum",
                state = { sum = 0, ended = false },
                apply = {
                    add = function(state, action)
                        if action.output > \(limit) then error "too much" end
                        state.sum = state.sum + action.output
                    end,
                    ended = function(state) state.ended = true end,
                    note = function() end,
                },
                render = function(state, context)
                    context:run("test.give", {}, { on_output = "add", on_finish = "ended" })
                    return { sum = state.sum, ended = state.ended }
                end,
            }
            """, name: "sum.lua")
    }

    private func options() throws -> FlowOptions {
        var options = FlowOptions(limits: .unhurried)
        options.plugins = try WorkerRegistry([Plugin("test", version: "1", workers: [Giver()])])
        return options
    }

    private func refused(in session: StoredSession) async throws -> [WorkerNews.Event] {
        try await session.perform { $0.nodes()?.workers.first?.refused.map(\.event) ?? [] }
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func theyAreStoredAndNewFilesTakeThem(_ kind: StoreKind, closes: Bool) async throws {
        let folder = try Folder()
        let store = try await kind.makeStore(in: folder)
        let session = try await StoredSession.open(
            "a", of: Self.flow(takingUpTo: 1), in: store, options: options())
        try await session.untilIdle()
        #expect(await session.rendering == ["sum": 1, "ended": true])
        #expect(try await refused(in: session) == [.output(2)])
        if closes { try await session.close() }

        let same = try await StoredSession.open(
            "a", of: Self.flow(takingUpTo: 1), in: store, options: options())
        #expect(try await refused(in: same) == [.output(2)])
        let version = try await store.summary(of: "a").version
        try await same.close()
        // Nothing has changed since the load; an open session may note that its worker rests.
        if closes { #expect(try await store.summary(of: "a").version == version) }

        let new = try await StoredSession.open(
            "a", of: Self.flow(takingUpTo: 2), in: store, options: options(),
            storage: StoredSessionOptions(isLenient: true))
        #expect(await new.rendering == ["sum": 3, "ended": true])
        #expect(try await refused(in: new) == [])
        try await new.close()

        let last = try await StoredSession.open(
            "a", of: Self.flow(takingUpTo: 2), in: store, options: options())
        #expect(await last.rendering == ["sum": 3, "ended": true])
        #expect(try await refused(in: last) == [])
        try await last.close()
        if !closes { _ = try? await session.close() }
    }
}
