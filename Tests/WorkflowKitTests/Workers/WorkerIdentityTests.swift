import PlainValue
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite struct SessionIdentityTests {
    /// Records the identities of runs, and runs until it is stopped.
    private final class Notes: Sendable {
        private let noted: AsyncStream<WorkerIdentity?>
        private let note: AsyncStream<WorkerIdentity?>.Continuation

        init() { (noted, note) = AsyncStream<WorkerIdentity?>.makeStream() }

        func next() async -> WorkerIdentity? {
            for await identity in noted { return identity }
            return nil
        }

        var plugin: Plugin {
            Plugin(
                "note", version: "1.0.0",
                definitions: [
                    WorkerDefinition(name: "note.run", summary: "") { [note] _, context, _ in
                        note.yield(context.identity)
                        let (stream, end) = AsyncStream<Never>.makeStream()
                        await withTaskCancellationHandler {
                            for await _ in stream {}
                        } onCancel: {
                            end.finish()
                        }
                    }
                ])
        }
    }

    private static let source = FlowSource.text(
        """
        local Flow = { name = "flow", state = { n = 0 } }
        Flow.apply = { add = function(state) state.n = state.n + 1 end }
        function Flow.render(state, context)
            if state.n > 1 then context:run("note.run", { n = 1 }, { key = "a/b" }) end
            return { n = state.n }
        end
        return Flow
        """, name: "flow.lua")

    private func options(_ notes: Notes, at milliseconds: Int) throws -> FlowOptions {
        var options = FlowOptions(sessionName: "s", now: { milliseconds })
        options.plugins = try WorkerRegistry([notes.plugin])
        return options
    }

    @Test func aRunIsTheSameOneAfterItsSessionWasOpenedAgain() async throws {
        let notes = Notes()
        let first = try await FlowSession.open(Self.source, options: try options(notes, at: 5_000))
        let beginning = try await first.snapshot()
        try await first.send("add")
        try await first.send("add")
        let identity = try #require(await notes.next())
        #expect(
            identity
                == WorkerIdentity(
                    session: "s", step: 2, node: "flow", name: "note.run", key: "a/b",
                    started: 5_000))
        try await first.send("add")
        let inputs = await first.inputs
        let end = try await first.snapshot()
        await first.close()

        var again = identity
        again.attempt = 2
        let played = try await FlowSession.open(
            Self.source, options: try options(notes, at: 9_000), restoring: beginning,
            replaying: inputs)
        #expect(await notes.next() == again)
        await played.close()

        var options = try options(notes, at: 9_000)
        options.firstStep = 3
        let document = end.document
        let restored = try await FlowSession.open(
            Self.source, options: options, restoring: try FlowSnapshot(document: document))
        #expect(await notes.next() == again)
        let third = try await restored.snapshot()
        await restored.close()

        let last = try await FlowSession.open(Self.source, options: options, restoring: third)
        again.attempt = 3
        #expect(await notes.next() == again)
        #expect(again.text == identity.text)
        await last.close()
    }

    @Test func aRunAfterAnUndoIsAnotherOne() async throws {
        let notes = Notes()
        let time = SteppedTime(1_000)
        var options = try options(notes, at: 0)
        options.now = { time.now }
        let session = try await FlowSession.open(Self.source, options: options)
        try await session.send("add")
        try await session.send("add")
        let first = try #require(await notes.next())
        try await session.undo()
        time.now = 2_000
        try await session.send("add")
        let second = try #require(await notes.next())
        #expect(second.step == first.step)
        #expect(second.attempt == 1)
        #expect(second.text != first.text)
        await session.close()
    }
}
