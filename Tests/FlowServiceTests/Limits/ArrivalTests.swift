import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

/// Connections that arrive as a server ends.
@Suite struct ArrivalTests {
    private let channel = EmbeddedChannel()
    private let arrivals = OpenConnections(
        HTTP1Channel(responder: { _, _, _ in Issue.record("a request is answered") }))
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Sets the connection up, which then is handed to nobody.
    private func arrive() throws { _ = try arrivals.setup(channel: channel, logger: logger).wait() }

    private func connect() throws {
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/here"), promise: nil)
    }

    @Test func aConnectionThatNobodyTakesIsClosedWhenTheServerHasEnded() throws {
        try arrive()
        try connect()
        #expect(channel.isActive)
        arrivals.end()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    @Test func aConnectionThatArrivesAfterTheServerHasEndedIsClosed() throws {
        arrivals.end()
        try connect()
        try arrive()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
