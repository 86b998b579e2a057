import FlowService
import PlainValue
import RawHTTP
import SessionPlugin
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins

struct SessionWorkersTests {
    /// Sends what it is told to, and notes the answers.
    private static let sender = """
        return {
            name = "sender",
            state = { answers = {} },
            apply = {
                ask = function(state, action)
                    state.worker, state.input = action.worker, action.input
                end,
                answered = function(state, action)
                    state.answers[#state.answers + 1] = action.output or action.error.code
                    state.worker = nil
                end,
                heard = function(state, action)
                    state.answers[#state.answers + 1] = action.output.output
                    if action.output.output == "last" then state.worker = nil end
                end,
            },
            render = function(state, context)
                if state.worker then
                    context:run(state.worker, state.input, {
                        on_output = state.worker == "session.outputs" and "heard" or "answered",
                        on_error = "answered",
                    })
                end
                return { answers = state.answers }
            end,
        }
        """

    /// Says who may do what with it.
    private static let receiver = """
        return {
            name = "receiver",
            state = { from = {} },
            apply = {
                take = function(state, action, context)
                    state.from[#state.from + 1] = action.word
                    return action.word
                end,
                fail = function() error("no", 0) end,
            },
            render = function(state, context) return { from = state.from, by = context.props.by } end,
            access = function(principal, question)
                local sender = principal.claims.session
                return not sender or sender ~= "stranger" and principal.claims.flow == "sender"
            end,
        }
        """

    private func service(
        _ slot: SessionServiceSlot = SessionServiceSlot(), grants: [String] = ["session"]
    ) async throws -> TestService {
        let registry = try WorkerRegistry([SessionPlugin.plugin(in: slot)])
        let granted = Grants(try grants.map { try Grant(parsing: $0) })
        return try await TestService(
            ["sender.lua": Self.sender, "receiver.lua": Self.receiver]
        ) { options, _ in
            options.sessionSlot = slot
            for place in options.flows.indices {
                options.flows[place].options.plugins = registry
                options.flows[place].options.grants = granted
            }
        }
    }

    /// Has a session ask something, and waits for a number of answers.
    private func answers(
        _ service: TestService, _ id: String, _ worker: String, _ input: Value, count: Int = 1
    ) async throws -> Value? {
        _ = try await service.ask(
            .post(
                "/sessions/\(id)/actions",
                ["action": ["type": "ask", "worker": .string(worker), "input": input]],
                [service.bearer]))
        while true {
            let shown = try await shown(service, id)["rendering"]?["answers"]
            if let list = shown?.list, list.count >= count { return shown }
            await Task.yield()
        }
    }

    private func shown(_ service: TestService, _ id: String) async throws -> Value {
        try await service.get("/sessions/\(id)").json
    }

    private func begin(_ service: TestService, _ id: String, _ flow: String) async throws {
        let answer = try await service.ask(
            .post("/sessions", ["flow": .string(flow), "id": .string(id)], [service.bearer]))
        #expect(answer.status == 201)
    }

    @Test func aSendIsAnsweredOnceWithWhatTheReceiverShows() async throws {
        let service = try await service()
        try await begin(service, "s", "sender")
        try await begin(service, "r", "receiver")
        let answers = try await answers(
            service, "s", "session.send", ["to": "r", "action": ["type": "take", "word": "a"]])
        #expect(answers == [["session": "r", "step": 1, "rendering": ["from": ["a"]]]])
        #expect(try await shown(service, "r")["step"] == 1)
    }

    @Test(
        arguments: [
            (["to": "r", "action": ["type": "fail"]], "refused"),
            (["to": "none", "action": ["type": "take"]], "not_found"),
            (["to": "r", "action": ["type": "tke"]], "unknown_action"),
            (["to": "r", "action": ["type": "take"], "node": "receiver/x"], "unknown_node"),
        ] as [(Value, String)])
    func whatCannotBeSentHasACode(_ input: Value, _ code: String) async throws {
        let service = try await service()
        try await begin(service, "s", "sender")
        try await begin(service, "r", "receiver")
        #expect(try await answers(service, "s", "session.send", input) == [.string(code)])
    }

    @Test func theReceiversAccessAndTheGrantsOfTheSenderAreAsked() async throws {
        let service = try await service()
        try await begin(service, "stranger", "sender")
        try await begin(service, "r", "receiver")
        let input: Value = ["to": "r", "action": ["type": "take", "word": "a"]]
        #expect(try await answers(service, "stranger", "session.send", input) == ["not_granted"])
        #expect(try await shown(service, "r")["step"] == 0)

        let narrow = try await self.service(grants: ["session=sender"])
        try await begin(narrow, "s", "sender")
        try await begin(narrow, "r", "receiver")
        #expect(try await answers(narrow, "s", "session.send", input) == ["not_granted"])
    }

    @Test func aSessionIsCreatedOnceWithProps() async throws {
        let service = try await service()
        try await begin(service, "s", "sender")
        let input: Value = ["flow": "receiver", "id": "made", "props": ["by": "s"]]
        let made = try await answers(service, "s", "session.create", input)
        #expect(made == [["session": "made", "step": 0, "rendering": ["from": [], "by": "s"]]])
        // By another worker it is another session's id.
        let again = try await answers(service, "s", "session.create", input, count: 2)
        #expect(again?.list?.last == "exists")
    }

    @Test func outputsAreFollowedFromTheBeginningAndAsTheyCome() async throws {
        let service = try await service()
        try await begin(service, "s", "sender")
        try await begin(service, "r", "receiver")
        let say = { (word: String) in
            let answer = try await service.ask(
                .post(
                    "/sessions/r/actions", ["action": ["type": "take", "word": .string(word)]],
                    [service.bearer]))
            #expect(answer.status == 200)
        }
        for word in ["a", "b"] { try await say(word) }
        let first = try await answers(
            service, "s", "session.outputs", ["of": "r", "after": ["step": 1]])
        #expect(first == ["b"])
        for word in ["c", "last"] { try await say(word) }
        while true {
            let shown = try await shown(service, "s")["rendering"]?["answers"]
            if shown?.list?.count == 3 {
                #expect(shown == ["b", "c", "last"])
                break
            }
            await Task.yield()
        }
    }

    @Test func aSendThatWasInterruptedArrivesOnce() async throws {
        let slot = SessionServiceSlot()
        let service = try await service(slot)
        try await begin(service, "s", "sender")
        try await begin(service, "r", "receiver")
        let sessions = try #require(slot.service)
        let sender = WorkerIdentity(
            session: "s", step: 1, node: "sender", name: "session.send", started: 7)
        for attempt in 1...3 {
            var again = sender
            again.attempt = attempt
            let answer = try await sessions.send(
                ["type": "take", "word": "a"], toSession: "r", node: nil, by: again)
            #expect(answer.step == 1)
        }
        #expect(try await shown(service, "r")["rendering"] == ["from": ["a"]])
        for attempt in 1...3 {
            var again = sender
            again.attempt = attempt
            let made = try await sessions.createSession(
                "made", of: "receiver", props: nil, by: again)
            #expect(made.step == 0)
        }
    }

    @Test func withoutAServiceThereAreNoOtherSessions() async throws {
        let slot = SessionServiceSlot()
        let service = try await service(slot)
        try await begin(service, "s", "sender")
        slot.service = nil
        let input: Value = ["to": "r", "action": ["type": "take"]]
        #expect(try await answers(service, "s", "session.send", input) == ["no_service"])
    }
}
