import FlowInspecting
import InspectorServer
import PlainValue
import RawHTTP
import Testing
import WorkflowKit
import WorkflowLua

struct InspectingTests {
    private static func open() async throws -> FlowSession {
        try await FlowSession.open(
            .text(
                """
                return {
                    state = { count = 0 },
                    apply = { add = function(state) state.count = state.count + 1 end },
                    render = function(state) return { count = state.count } end,
                }
                """, name: "counter.lua"))
    }

    private func ask(_ page: FlowInspection, _ request: Value) async throws -> RawAnswer {
        let token = try #require(page.address.split(separator: "=").last)
        let headers = ["Authorization: Bearer \(token)"]
        return try await RawAnswer(
            to: RawRequest.post("/request", request, headers).text, port: page.port)
    }

    /// True if the page answers. Its port may be that of another server by now.
    private func answers(_ page: FlowInspection) async -> Bool {
        (try? await ask(page, ["do": "status"]))?.status == 200
    }

    @Test func thePageShowsWhatTheProgramDoesWithinItsScopesUntilItIsClosed() async throws {
        let session = try await Self.open()
        let page = try await session.inspect(scopes: [.view, .act])
        print(page.address)
        try await session.send(["type": "add"])
        let value = try await ask(page, ["do": "value", "of": "rendering", "path": "count"])
        #expect(value.json["value"]?["slice"] == 1)
        #expect(try await ask(page, ["do": "send", "action": "add"]).status == 200)
        #expect(await session.rendering["count"] == 2)
        #expect(try await ask(page, ["do": "undo"]).code == "not_granted")
        #expect(await answers(page))
        await page.close()
        #expect(await !answers(page))
        try await session.send(["type": "add"])
        await session.close()
    }

    @Test func thePageEndsWithItsSession() async throws {
        let session = try await Self.open()
        let page = try await session.inspect()
        #expect(await answers(page))
        await session.close()
        #expect(await !answers(page))
        let error = await #expect(throws: FlowError.self) { _ = try await session.inspect() }
        #expect(error?.code == .misuse)
    }

    @Test func aPortThatIsTakenIsRefused() async throws {
        let session = try await Self.open()
        let page = try await session.inspect()
        let error = await #expect(throws: FlowError.self) {
            _ = try await session.inspect(at: page.port)
        }
        #expect(error?.code == .connection)
        await session.close()
    }
}
