import FlowService
import LuaVM
import PlainValue
import RawHTTP
import TestSupport
import Testing
import WorkflowKit

struct LostPermissionTests {
    /// A room whose owner says who is in it.
    private static let room = """
        return {
            name = "room",
            state = { members = {}, n = 0 },
            apply = {
                let_in = function(state, action) state.members[action.name] = true end,
                put_out = function(state, action) state.members[action.name] = nil end,
                say = function(state) state.n = state.n + 1; return { said = state.n } end,
            },
            access = function(principal, what, state)
                return principal.name == "owner" or state.members[principal.name] == true
            end,
            render = function(state, context) return { n = state.n } end,
        }
        """

    private struct Room {
        let service: TestService
        let headers: [String: String]

        init(_ change: (inout ServiceOptions) -> Void = { _ in }) async throws {
            let names = ["owner", "bob", "cleo"]
            let tokens = names.map { ServiceToken(for: $0, scopes: Set(ServiceScope.allCases)) }
            service = try await TestService([
                "room.lua": LostPermissionTests.room,
                "tokens.txt": tokens.map(\.line).joined(separator: "\n"),
            ]) { options, folder in
                options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
                change(&options)
            }
            headers = Dictionary(
                uniqueKeysWithValues: zip(names, tokens.map { "Authorization: Bearer \($0.text)" }))
            _ = try await post("/sessions", ["flow": "room", "id": "a"])
            for name in names.dropFirst() {
                try await act(["type": "let_in", "name": .string(name)])
            }
        }

        @discardableResult
        func post(_ path: String, _ body: Value = [:]) async throws -> RawAnswer {
            try await service.ask(.post(path, body, [headers["owner"] ?? ""]))
        }

        @discardableResult func act(_ action: Value) async throws -> Int {
            let answer = try await post("/sessions/a/actions", ["action": action])
            #expect(answer.status == 200)
            return answer.json["step"]?.int ?? 0
        }

        func follow(_ name: String, _ more: [String] = []) async throws -> RawClient {
            let client = try await RawClient(
                port: service.port,
                sending: RawRequest.get("/sessions/a/events", [headers[name] ?? ""] + more).text)
            _ = await client.read(until: "event: rendering")
            return client
        }
    }

    private static let bye = "event: bye\ndata: {\"reason\":\"not_granted\"}"

    @Test func aStreamEndsWithTheStepThatTakesItsReaderOutAndShowsNothingOfIt() async throws {
        let room = try await Room()
        let (bob, cleo) = (try await room.follow("bob"), try await room.follow("cleo"))
        let last = try await room.act("say")
        for reader in [bob, cleo] {
            #expect(await reader.read(until: "\"n\":1").contains("\"said\":1"))
        }
        try await room.act(["type": "put_out", "name": "bob"])
        try await room.act("say")
        let rest = await bob.read()
        #expect(rest.contains(Self.bye))
        for step in 1...2 { #expect(!rest.contains("\"step\":\(last + step)")) }
        #expect(await cleo.read(until: "\"n\":2").contains("\"said\":2"))
        let again = try await room.service.get("/sessions/a/events", [room.headers["bob"] ?? ""])
        #expect(again.status == 403)
        await room.service.service.drain()
    }

    @Test func goingBackInTimeTakesAwayWhatWasAllowedLater() async throws {
        let room = try await Room()
        let bob = try await room.follow("bob")
        try await room.post("/sessions/a/goto", ["step": 0])
        let rest = await bob.read()
        #expect(rest.contains(Self.bye))
        #expect(!rest.contains("event: rendering"))
        await room.service.service.drain()
    }

    @Test func theInspectorsStreamsAndThoseOfItsForksEndTheSameWay() async throws {
        let room = try await Room()
        let bob = try await InspectorClient(room.service, "a", [room.headers["bob"] ?? ""])
        let cleo = try await InspectorClient(room.service, "a", [room.headers["cleo"] ?? ""])
        let number = try await bob.value(["do": "fork", "step": 1])["session"]?.int
        let fork = try await InspectorClient(
            room.service, "a", [room.headers["bob"] ?? ""], fork: number)
        let last = try await room.act(["type": "put_out", "name": "bob"])
        let rest = await bob.client.read()
        #expect(rest.contains(Self.bye))
        #expect(!rest.contains("\"step\":\(last)"))
        #expect(await fork.client.read().contains(Self.bye))
        _ = await cleo.client.read(until: "\"step\":\(last)")
        #expect(try await bob.ask(["do": "rendering"]).status == 404)
        #expect(try await cleo.ask(["do": "rendering"]).status == 200)
        await room.service.service.drain()
    }

    @Test func scriptsInProcessesOfTheirOwnAreAskedTheSame() async throws {
        let room = try await Room { options in
            options.processes = 1
            options.flows[0].options.isolation = .process
        }
        let bob = try await room.follow("bob")
        try await room.act("say")
        _ = await bob.read(until: "\"n\":1")
        try await room.act(["type": "put_out", "name": "bob"])
        #expect(await bob.read().contains(Self.bye))
        await room.service.service.drain()
    }
}
