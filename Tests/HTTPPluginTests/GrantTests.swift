import NIOCore
import NIOHTTP1
import PlainValue
import PluginStage
import Testing
import WorkerKit

@testable import HTTPPlugin

@Suite struct GrantTests {
    private func refusal(_ url: String, _ grants: String...) async -> WorkerError? {
        await failure { try await run("http.get", ["url": .string(url)], allowing: grants) }
    }

    @Test(arguments: [
        "127.1", "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "[::1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "localhost", "LOCALHOST", "localhost.",
        "localhost.localdomain", "api.example.com.evil.example", "xapi.example.com",
    ]) func anotherSpellingOfAHostIsAnotherHost(host: String) async throws {
        let server = try await TestServer { _ in .text("secret") }
        let error = await refusal(
            "http://\(host):\(server.port)/", "http=api.example.com", "http=127.0.0.2")
        #expect(error?.code == "not_granted")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        "http://api.example.com@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@api.example.com/",
        "http://api.example.com%2f@127.0.0.1:PORT/", "http://127.0.0.%31:PORT/",
        "http://ⓛocalhost:PORT/", "http://１２７.0.0.1:PORT/", "http://127.0.0.1:PORT /",
        "http://\t127.0.0.1:PORT/", "http:/127.0.0.1:PORT/", "http:127.0.0.1:PORT/",
        "//127.0.0.1:PORT/", "127.0.0.1:PORT", "file:///etc/passwd", "unix:///run/docker.sock",
        "http+unix://%2Frun%2Fdocker.sock/", "https+unix://x/", "http://[::1%25lo]:PORT/", "",
    ]) func aURLThatReadersDifferOverIsRefused(url: String) async throws {
        let server = try await TestServer { _ in .text("secret") }
        let url = url.replacing("PORT", with: "\(server.port)")
        let error = await refusal(url, "http")
        #expect(error?.code == "bad_input")
        #expect(
            error?.message
                == "worker 'http.get': \(url.debugDescription) is not a URL of http or https")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["LocalHost", "localhost."])
    func caseAndTheFinalDotOfAGrantedNameDoNotMatter(host: String) async throws {
        let server = try await TestServer { _ in .text("hello") }
        #expect(await refusal("http://\(host):\(server.port)/", "http=localhost") == nil)
        #expect(server.requests.first?.headers["host"] == ["localhost:\(server.port)"])
    }

    @Test func aGrantWithAPortIsForThatPort() async throws {
        let server = try await TestServer { _ in .text("hello") }
        #expect(await refusal(server.url, "http=127.0.0.1") == nil)
        let error = await refusal(server.url, "http=127.0.0.1:\(server.port + 1)")
        #expect(error?.message == "worker 'http.get': \(server.grant) is not granted")
    }

    /// The resolver accepts `127.1` for 127.0.0.1. Any name leads there if its owner wants.
    @Test func aNameThatLeadsToThisMachineNeedsAGrantForTheAddressToo() async throws {
        let server = try await TestServer { _ in .text("secret") }
        let url = "http://127.1:\(server.port)/"
        let refused = WorkerError(
            "not_granted",
            "127.1 leads to 127.0.0.1, which is not a public address: \(server.grant) is not granted",
            help: #"grant it with Grant("http", "\#(server.grant.dropFirst(5))")"#)
        #expect(await refusal(url, "http=127.1") == refused)
        #expect(server.requests.isEmpty)
        #expect(await refusal(url, "http=127.1", "http=127.0.0.1") == nil)
        #expect(await refusal(url, "http") == nil)
        // A connection of a session with the grant is not shared with sessions without it.
        #expect(await refusal(url, "http=127.1") == refused)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        ("8.8.8.8", true), ("172.32.0.1", true), ("100.128.0.1", true), ("192.0.1.1", true),
        ("2606:4700::1111", true), ("::ffff:8.8.8.8", true), ("64:ff9b::808:808", true),
        ("2002:808:808::", true),
        ("0.0.0.0", false), ("10.1.2.3", false), ("127.9.9.9", false), ("169.254.169.254", false),
        ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.0.1", false),
        ("100.64.0.1", false), ("192.0.0.8", false), ("198.18.0.1", false), ("224.0.0.1", false),
        ("255.255.255.255", false), ("::", false), ("::1", false), ("::7f00:1", false),
        ("::ffff:127.0.0.1", false), ("64:ff9b::7f00:1", false), ("fd00::1", false),
        ("fe80::1", false), ("ff02::1", false), ("2002:7f00:1::", false), ("2001::1", false),
    ])
    func anAddressIsPublicOrNot(address: String, isPublic: Bool) throws {
        #expect(try SocketAddress(ipAddress: address, port: 80).isPublic == isPublic)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("fd00::1", "[fd00::1]"),
    ]) func anAddressIsNamedAsInAGrant(address: String, name: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: 80).grantName == name)
    }
}
