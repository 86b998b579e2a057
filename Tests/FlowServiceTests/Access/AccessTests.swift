import Foundation
import LuaVM
import PlainValue
import RawHTTP
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowService

struct AccessTests {
    @Test func withoutATokenNothingIsToldButThatTheServiceIsThere() async throws {
        let service = try await TestService()
        #expect(try await service.get("/healthz", []).status == 200)
        #expect(try await service.get("/readyz", []).status == 200)
        for header in [[], ["Authorization: Basic YTpi"], ["Authorization: Bearer"]] {
            let answer = try await service.get("/flows", header)
            #expect(answer.status == 401)
            #expect(answer.code == "no_token")
            #expect(answer.header("WWW-Authenticate") == "Bearer")
        }
        let wrong = try await service.get("/flows", ["Authorization: Bearer wfs_x"])
        #expect(wrong.status == 401)
        #expect(wrong.code == "wrong_token")
        #expect(try await service.get("/flows").status == 200)
        await service.service.drain()
    }

    @Test func theTokensOfAFileGiveTheirScopesAndTheFileIsReadAgain() async throws {
        let reader = ServiceToken(for: "ada", scopes: [.read])
        let writer = ServiceToken(for: "bob", scopes: [.act])
        let service = try await TestService([
            "counter.lua": TestService.counter, "tokens.txt": reader.line,
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
        }
        #expect(service.service.token == nil)
        func status(_ token: ServiceToken) async throws -> Int {
            try await service.get("/flows", ["Authorization: Bearer \(token.text)"]).status
        }
        #expect(try await status(reader) == 200)
        #expect(try await status(writer) == 401)
        try service.folder.write(writer.line, to: "tokens.txt")
        await service.service.reload()
        #expect(try await status(reader) == 401)
        #expect(try await status(writer) == 403)
        await service.service.drain()
    }

    @Test func aStreamEndsWhenItsTokenIsNoLongerKnownAndThoseOfOthersGoOn() async throws {
        let names = ["ada", "bob"]
        let tokens = names.map { ServiceToken(for: $0, scopes: [.read, .create, .act]) }
        let service = try await TestService([
            "counter.lua": TestService.counter,
            "tokens.txt": tokens.map(\.line).joined(separator: "\n"),
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
            options.limits.heartbeatInterval = .seconds(1)
        }
        let headers = tokens.map { "Authorization: Bearer \($0.text)" }
        _ = try await service.ask(.post("/sessions", ["flow": "counter", "id": "a"], [headers[0]]))
        var readers: [RawClient] = []
        for header in headers {
            let reader = try await RawClient(port: service.port)
            reader.send(RawRequest.get("/sessions/a/events", [header]).text)
            _ = await reader.read(until: "event: rendering")
            readers.append(reader)
        }
        try service.folder.write(tokens[1].line, to: "tokens.txt")
        await service.service.reload()
        #expect(await readers[0].read().contains("data: {\"reason\":\"not_granted\"}"))
        _ = await readers[1].read(until: ":")
        let answer = try await service.ask(
            .post("/sessions/a/actions", ["action": ["type": "add"]], [headers[1]]))
        #expect(answer.status == 200)
        #expect(await readers[1].read(until: "\"count\":1").contains("event: rendering"))
        await service.service.drain()
    }

    @Test func aSignedTokenIsTakenAsOneOfAFileIs() async throws {
        let issuer = try TestIssuer(.es256, id: "one")
        let keys: Value = ["keys": [issuer.key]]
        let service = try await TestService([
            "counter.lua": TestService.counter, "keys.json": keys.json,
        ]) { options, folder in
            options.access = .files(
                tokens: nil,
                issuer: TokenIssuer(
                    keys: folder.path("keys.json"), name: "https://id.example", audience: "todo"))
        }
        var claims: Value.Record = [
            "sub": "ada", "iss": "https://id.example", "aud": "todo", "scope": "read",
            "exp": .int(Int(Date.now.timeIntervalSince1970) + 1000),
        ]
        func answer() async throws -> RawAnswer {
            let token = try issuer.token(["alg": "ES256", "kid": "one"], claims)
            return try await service.get("/flows", ["Authorization: Bearer \(token)"])
        }
        #expect(try await answer().status == 200)
        claims["exp"] = 1000
        let late = try await answer()
        #expect(late.status == 401)
        #expect(late.json["detail"] == "The token is not taken: it has expired.")
        claims["exp"] = .int(Int(Date.now.timeIntervalSince1970) + 1000)
        claims["scope"] = "act"
        #expect(try await answer().code == "not_granted")
        await service.service.drain()
    }

    @Test func aServiceThatIsOpenToAllTakesNoNoticeOfTokens() async throws {
        let service = try await TestService { options, _ in options.access = .everybody }
        #expect(try await service.get("/flows", []).status == 200)
        #expect(try await service.get("/flows", ["Authorization: Bearer x"]).status == 200)
        await service.service.drain()
    }

    @Test func onThisComputerANameThatLeadsHereByChanceIsRefused() async throws {
        let service = try await TestService { options, _ in options.hosts = ["box.example"] }
        var request = RawRequest.get("/flows", [service.bearer])
        for (host, status) in [
            ("evil.example", 403), ("box.example:80", 200), ("localhost", 200), ("[::1]:8080", 200),
        ] {
            request.host = host
            #expect(try await service.ask(request).status == status)
        }
        request.host = "evil.example"
        #expect(
            try await service.ask(request).json["detail"]
                == "Open it at 127.0.0.1, or allow the name with ServiceOptions.hosts.")
        await service.service.drain()
    }

    @Test func aPortThatIsTakenIsToldWithTheSettingForAnotherOne() {
        let error = FlowError(.takenPort, 80, "Address already in use")
        #expect(error.message == "nothing can be served at port 80: Address already in use")
        #expect(error.help == "choose another port with ServiceOptions.port")
    }

    @Test func aServiceForOtherComputersMustSayWhoMayReachIt() async throws {
        let error = await #expect(throws: FlowError.self) {
            try await TestService { options, _ in options.host = "0.0.0.0" }
        }
        #expect(error?.message == "it is not said who may reach 0.0.0.0")
        #expect(
            error?.help
                == "set ServiceOptions.access to .files, or to .everybody if all may do everything"
        )
    }

    @Test func aServiceForOtherComputersMustSayWhoWritesItsFlows() async throws {
        func serve(_ change: @escaping (inout ServiceOptions) -> Void) async throws {
            let service = try await TestService { options, _ in
                options.host = "0.0.0.0"
                options.access = .everybody
                change(&options)
            }
            await service.service.drain()
        }
        let error = await #expect(throws: FlowError.self) { try await serve { _ in } }
        #expect(error?.message == "it is not said who writes the flows served at 0.0.0.0")
        #expect(
            error?.help == """
                isolate each flow by FlowOptions.isolation: scripts run in processes that are ended \
                when they do not answer; or set ServiceOptions.trustsFlows: nobody hostile writes \
                the flows, for a script can keep a thread of the program busy for minutes
                """)
        try await serve { $0.trustsFlows = true }
        #if os(Linux)
            try await serve { $0.flows[0].options.isolation = .process }
        #endif
        for host in ["127.0.0.1", "localhost"] { try await serve { $0.host = host } }
    }
}
