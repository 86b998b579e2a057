import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@testable import HTTPPlugin

@Suite struct FailureTests {
    private func failing(
        _ server: TestServer, _ fields: Value.Record = [:],
        clock: any Clock<Duration> = TestClock(.held)
    ) async -> WorkerError? {
        var input: Value.Record = ["url": .string(server.url)]
        for (key, value) in fields { input[key] = value }
        let value = Value.record(input)
        return await failure {
            try await run("http.get", value, allowing: [server.grant], clock: clock)
        }
    }

    @Test func aServerThatDoesNotAnswerTimesOut() async throws {
        let server = try await TestServer { _ in .none }
        let gate = TestClock(.held)
        async let error = failing(server, ["timeout": 1.5], clock: gate)
        for await _ in server.arrivals { break }
        gate.open()
        #expect(
            await error
                == WorkerError(
                    "timed_out", "127.0.0.1:\(server.port) did not answer within 1.5 seconds",
                    help: "raise timeout"))
    }

    @Test func anAnswerThatIsNeverCompleteTimesOut() async throws {
        let (texts, continuation) = AsyncStream<String>.makeStream()
        continuation.yield("half")
        let server = try await TestServer { _ in .stream([:], texts) }
        let gate = TestClock(.held)
        async let error = failing(server, clock: gate)
        for await _ in server.arrivals { break }
        gate.open()
        #expect(await error?.message == "127.0.0.1:\(server.port) did not answer within 30 seconds")
        continuation.finish()
    }

    @Test func anAnswerThatIsTooLargeIsRefused() async throws {
        let server = try await TestServer { request in
            request.path == "/chunked"
                ? .whole(200, ["transfer-encoding": "chunked"], Array(repeating: 65, count: 101))
                : .text(String(repeating: "a", count: 101))
        }
        let error = WorkerError(
            "too_large", "the answer of 127.0.0.1:\(server.port) has more than 100 bytes",
            help: "raise max_bytes")
        #expect(await failing(server, ["max_bytes": 100]) == error)
        #expect(
            await failing(
                server, ["max_bytes": 100, "url": .string(server.url + "/chunked")]) == error)
        #expect(await failing(server, ["max_bytes": 101]) == nil)
    }

    @Test func aPortThatNobodyListensOnIsUnreachable() async throws {
        // A port that the system gives to nobody who asks for any.
        let error = await failure {
            try await run(
                "http.get", ["url": "http://127.0.0.1:1/"], allowing: ["http"])
        }
        #expect(
            error
                == WorkerError(
                    "unreachable", "127.0.0.1:1 cannot be reached: Connection refused"))
    }

    @Test func aConnectionThatIsCutIsAFailure() async throws {
        let server = try await TestServer { _ in .cut }
        #expect(
            await failing(server)
                == WorkerError(
                    "disconnected",
                    "127.0.0.1:\(server.port) closed the connection before the answer was complete")
        )
    }

    @Test func aServerThatSpeaksNoTLSIsNotTrusted() async throws {
        let server = try await TestServer { _ in .text("secret") }
        let error = await failing(
            server, ["url": .string("https://127.0.0.1:\(server.port)/")])
        #expect(
            error
                == WorkerError(
                    "untrusted", "there is no safe connection to 127.0.0.1:\(server.port)"))
    }

    @Test func whatIsNotHTTPIsABadAnswer() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in channel.pipeline.addHandler(Greeter()) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        let error = await failure {
            try await run(
                "http.get", ["url": .string("http://127.0.0.1:\(port)")], allowing: ["http"])
        }
        #expect(error == WorkerError("bad_answer", "what 127.0.0.1:\(port) answers is not HTTP"))
        try await channel.close()
    }

    /// Network errors that tests cannot cause, as the library reports them.
    @Test(
        arguments: [
            (
                IOError(errnoCode: ECONNRESET, reason: ""), "disconnected",
                "the connection to example.org broke: Connection reset by peer"
            ),
            (
                TLSError("handshakeFailed(CERTIFICATE_VERIFY_FAILED)"), "untrusted",
                "the certificate of example.org is not trusted"
            ),
            (
                TLSError("uncleanShutdown"), "disconnected",
                "example.org closed the connection before the answer was complete"
            ), (ChannelError.eof, "failed", "the request to example.org failed: End of file"),
            (
                HTTPClientError.connectTimeout, "timed_out",
                "example.org could not be reached within 30 seconds"
            ),
            (HTTPClientError.cancelled, "failed", "the request to example.org failed: Cancelled"),
        ] as [(any Error, String, String)])
    func anErrorOnTheWayIsSaidInWords(_ error: any Error, _ code: String, _ message: String)
        throws
    {
        let target = try Target("http://example.org/")
        #expect(WorkerError(of: error, at: target) == WorkerError(code, message))
    }

    @Test func aSystemWithoutCertificatesOfAuthoritiesIsToldWhichPackageHasThem() {
        #expect(WorkerError.authorities(in: ["/nowhere", #filePath]) == nil)
        #expect(
            WorkerError.authorities(in: ["/nowhere"])
                == "install the package ca-certificates: this system trusts no certificate")
    }

    @Test func aConnectionWhoseAddressIsNotKnownIsForbidden() {
        let error = #expect(throws: ForbiddenAddress.self) {
            try AddressRule.publicAnd([]).check(nil)
        }
        #expect(error?.name == "an unknown address")
    }

    @Test func aNameWithoutAnAddressIsUnreachable() async {
        let error = await failure {
            try await run("http.get", ["url": "http://nowhere.invalid/"], allowing: ["http"])
        }
        #expect(
            error
                == WorkerError(
                    "unreachable",
                    "nowhere.invalid cannot be reached: there is no host 'nowhere.invalid'"))
    }

    @Test func workersAreSummedUp() {
        #expect(
            HTTPPlugin.plugin.workers.map { "\($0.name)  \($0.summary)" } == [
                "http.get  Gets a URL, and gives the whole answer.",
                "http.post  Posts a text or JSON to a URL, and gives the whole answer.",
                "http.request  Sends a request of any method, and gives the whole answer.",
                "http.lines  Gives the lines of an answer, each as soon as it is there.",
                "http.events  Gives server-sent events, each as soon as it is there.",
            ])
    }

    @Test(arguments: ["http.get", "http.lines", "http.events"])
    func aRunThatIsCancelledEndsAtOnce(worker: String) async throws {
        let server = try await TestServer { _ in .none }
        let stage = try Stage(allowing: [server.grant])
        let outputs = try await stage.startInTime(worker, ["url": .string(server.url)])
        for await _ in server.arrivals { break }
        await stage.shutDown()
        #expect(await stage.session.end(within: .unreached) == [])
        for try await output in outputs { Issue.record("\(output) arrived") }
    }
}

/// A TLS error of the library, which only its text identifies.
private struct TLSError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Answers like a server of another kind.
private final class Greeter: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.channel.writeAndFlush(ByteBuffer(string: "SSH-2.0-x\r\n\r\n"), promise: nil)
    }
}
