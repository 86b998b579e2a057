import Foundation
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite struct JournalTests {
    @Test func fieldsMarkedSecretAreNowhereInTheFile() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        var options = FlowOptions(props: ["user": ["password": "hunter2", "name": "ann"]])
        options.journal = try FlowJournal(path: path, secrets: ["password"])
        let session = try await FlowSession.open(
            .text(
                """
                return {
                    name = "login",
                    state = { tries = {} },
                    apply = {
                        try = function(state, action)
                            table.insert(state.tries, { password = action.password, at = "context" })
                            return { password = action.password }
                        end,
                        fail = function(state, action)
                            local password = action.password
                            error("no")
                        end,
                    },
                    render = function(state, context) return { tries = state.tries, user = context.props.user } end,
                }
                """), options: options)
        try await session.send(["type": "try", "password": "swordfish"])
        await #expect(throws: FlowError.self) {
            try await session.send(["type": "fail", "password": "sesame"])
        }
        try await session.update(props: ["user": ["password": ["old": "abracadabra"]]])
        #expect(await session.rendering["tries"]?[0]?["password"] == "swordfish")
        await session.close()

        let text = try String(contentsOfFile: path, encoding: .utf8)
        for word in ["hunter2", "swordfish", "sesame", "abracadabra"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains(#""name":"ann","password":"[secret]""#))
        let steps = try FlowRecording(path: path).steps
        #expect(
            steps.first?.input.kind
                == .action(["type": "try", "password": "[secret]"], node: "login"))
        #expect(steps.first?.outputs == [["password": "[secret]"]])
    }

    @Test func aSessionThatDoesNotBeginLeavesNoFile() async throws {
        let folder = try Folder()
        for source in ["return {", "return { render = function() error 'no' end }"] {
            var options = FlowOptions()
            options.journal = try FlowJournal(path: folder.path("session.jsonl"))
            await #expect(throws: FlowError.self) {
                try await FlowSession.open(.text(source), options: options)
            }
        }
    }

    @Test func aWorkersEndThatCannotBeRenderedIsTheSameInAReplay() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        var options = FlowOptions()
        let probe = ProbePlugin()
        options.plugins = try WorkerRegistry([probe.plugin])
        options.journal = try FlowJournal(path: path)
        let source = FlowSource.text(
            """
            return {
                name = "bad", state = {},
                apply = { spoil = function(state) state.bad = true end },
                render = function(state, context)
                    context:run("probe.run", {})
                    if state.bad then error("cannot be shown") end
                    return {}
                end,
            }
            """)
        let session = try await FlowSession.open(source, options: options)
        await #expect(throws: FlowError.self) { try await session.send("spoil") }
        await #expect(throws: FlowError.self) {
            try await session.play(
                .worker(
                    WorkerNews(
                        node: NodePath([.init(name: "bad")]), worker: "probe.run", key: "",
                        event: .finished)))
        }
        #expect(await session.close(within: .unreached) == [])
        await probe.close()
        let recording = try FlowRecording(path: path)
        #expect(
            recording.steps.map { $0.error?.message } == ["cannot be shown", "cannot be shown"])
        #expect(recording.notes.isEmpty)
    }

    @Test func aStepWhoseOutputWasCutDiffersInNothing() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        let flow = FlowSource.text(
            """
            return {
                state = {},
                apply = { tell = function(state) state.told = true return "told" end },
                render = function(state) return { told = state.told } end,
            }
            """)
        var options = FlowOptions()
        options.journal = try FlowJournal(path: path)
        let session = try await FlowSession.open(flow, options: options)
        try await session.send("tell")
        await session.close()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(#""output":"told""#))
        let recording = try FlowRecording(parsing: text.dropLast(5))
        #expect(recording.steps.first?.rendering == ["told": true])
        let replayed = try await recording.makeSession(of: flow)
        #expect(try await recording.replay(in: replayed).isEmpty)
    }

    @Test func valuesAsDeepAsFlowsMayHaveThemAreReadAgain() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        var options = FlowOptions()
        options.journal = try FlowJournal(path: path)
        let session = try await FlowSession.open(
            .text(
                """
                return {
                    name = "deep",
                    state = { value = 1 },
                    apply = {
                        nest = function(state)
                            for _ = 1, 126 do state.value = { state.value } end
                        end,
                    },
                    render = function(state) return { value = state.value } end,
                }
                """), options: options)
        try await session.send("nest")
        let rendering = await session.rendering
        let snapshot = try FlowSnapshot(json: try await session.snapshot().json.utf8)
        await session.close()
        #expect(try FlowRecording(path: path).steps.first?.rendering == rendering)
        #expect(snapshot.document["nodes"]?[0]?["state"]?["value"] == rendering["value"])
    }

    /// In a separate process, because the limit that makes the disk look full applies to all of it.
    @Test func aFullDiskEndsTheRecordingWithAnEventAndTheSessionGoesOn() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 2000, rlim_max: 2000)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            let folder = try Folder()
            let path = folder.path("session.jsonl")
            var options = FlowOptions()
            options.journal = try FlowJournal(path: path)
            let events = EventRecorder()
            let session = try await FlowSession.open(.list, options: options, onEvent: events.note)
            for _ in 1...20 { try await session.send(["type": "add", "text": "milk"]) }
            #expect(await session.rendering["items"]?.list?.count == 20)
            let errors = events.errors.compactMap { event in
                if case .error(let error) = event.kind { error } else { nil }
            }
            #expect(errors.map(\.message) == ["the recording \(path) ends here: File too large"])
            #expect(
                errors.first?.help
                    == "what was recorded before can be replayed; the session goes on without a recording"
            )
            #expect(events.all.map(\.sequence) == Array(1...events.all.count))
            let recording = try FlowRecording(path: path)
            #expect(recording.notes == ["the last line was cut and is left out"])
            #expect(recording.steps.count > 2)
        }
    }
}
