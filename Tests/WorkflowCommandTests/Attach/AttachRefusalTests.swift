import FlowProtocol
import Foundation
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct AttachRefusalTests {
    private let scene: Folder
    private var path: String { scene.path("s.sock") }

    init() throws { scene = try Folder() }

    private func expect(_ message: String, _ status: Int32) async throws {
        let outcome = try await scene.run("attach", path, input: "= 1\n")
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == message)
        #expect(outcome.status == status)
    }

    @Test func socketMustBeThere() async throws {
        try await expect(
            """
            error: there is no socket \(path)
            help: start a flow with workflow-run flow.lua --listen \(path), or let a program call session.listen(at:)

            """, 66)
    }

    @Test func fileMustBeASocket() async throws {
        try Data("return {}".utf8).write(to: URL(fileURLWithPath: path))
        try await expect(
            """
            error: \(path) is not a socket
            help: give the path that a session listens at; a flow is played by workflow-run \(path)

            """, 66)
    }

    @Test func programMustBeThere() async throws {
        _ = try FakeProgram(at: path, saying: nil)
        try await expect(
            """
            error: nobody listens at \(path): the program that made it has ended
            help: start the program again; it replaces the file

            """, 69)
    }

    @Test func pathMustFit() async throws {
        let long = "/tmp/" + String(repeating: "x", count: 200)
        let outcome = try await scene.run("attach", long)
        #expect(
            outcome.stderr == """
                error: the path of the socket is too long: 205 bytes, where the system takes \(SocketAddress.longestPath)
                help: choose a shorter path, such as /tmp/flow.sock

                """)
        #expect(outcome.status == 66)
    }

    @Test func protocolMustBeOfFlows() async throws {
        let program = try FakeProgram(at: path, saying: "220 mail.example.org ESMTP\n")
        try await expect(
            "error: what listens at \(path) does not speak the protocol of flows\n", 69)
        _ = program
    }

    @Test func protocolMustBeOfThisVersion() async throws {
        let program = try FakeProgram(
            at: path, saying: #"{"v":2,"seq":1,"type":"ready","flow":"todo"}"# + "\n")
        try await expect(
            """
            error: the program at \(path) speaks version 2 of the protocol, and this is version 1
            help: attach with the workflow-run of the version that the program is built with

            """, 69)
        _ = program
    }

    @Test func requestThatFailsWithoutAReasonIsReported() {
        let event = FlowEvent(
            record: [
                "v": 1, "seq": 1, "at": "2026-01-01T00:00:00.000Z", "type": "reply", "id": 1,
                "ok": false,
            ])
        guard case .reply(_, _, let error)? = event?.kind else {
            Issue.record("\(String(describing: event)) is no reply")
            return
        }
        #expect(error?.message == "the request failed")
    }

    @Test func refusalOfTheSessionIsTold() async throws {
        let program = try FakeProgram(
            at: path,
            saying: """
                {"v":1,"seq":0,"type":"error","code":"connection","message":"the session belongs to another user"}
                {"v":1,"seq":0,"type":"done","reason":"refused","exit":0}

                """)
        try await expect("error: the session belongs to another user\n", 69)
        _ = program
    }

    @Test func connectionLostAtOnceIsReported() async throws {
        let program = try FakeProgram(at: path, saying: "")
        try await expect("error: the program at \(path) has ended the connection at once\n", 69)
        _ = program
    }

    private static let greeting = """
        {"v":1,"seq":1,"type":"ready","flow":"todo","hash":"0","seed":"0","props":{},"session":"s","plugins":[]}
        {"v":1,"seq":1,"type":"rendering","rendering":{"n":1},"actions":[],"pass":1}

        """

    @Test func connectionLostMidwayIsAnError() async throws {
        let program = try FakeProgram(at: path, saying: Self.greeting)
        try await expect("error: the connection was lost: the program at \(path) has ended\n", 74)
        _ = program
    }

    @Test func droppedClientSaysWhyAndEnds() async throws {
        let program = try FakeProgram(
            at: path,
            saying: Self.greeting + """
                {"v":1,"seq":2,"type":"error","code":"connection","message":"the client was dropped"}
                {"v":1,"seq":2,"type":"done","reason":"dropped","exit":0}

                """)
        try await expect("error: the client was dropped\n", 69)
        _ = program
    }

    @Test func refusalsAreEventsWithJSON() async throws {
        let outcome = try await scene.run("attach", path, "--json")
        let events = try Events(outcome.stdout)
        #expect(events.types == ["error", "done"])
        #expect(events.all.first?["message"] == .string("there is no socket \(path)"))
        #expect(events.text("done") == #"{"exit":66,"reason":"error"}"#)
        #expect(outcome.status == 66)
    }

    @Test func lostConnectionIsAnErrorWithJSON() async throws {
        let program = try FakeProgram(at: path, saying: Self.greeting)
        let outcome = try await scene.run("attach", path, "--json")
        #expect(outcome.stdout == Self.greeting)
        #expect(
            outcome.stderr == "error: the connection was lost: the program at \(path) has ended\n")
        #expect(outcome.status == 74)
        _ = program
    }
}
