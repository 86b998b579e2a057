import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Testing

@testable import HTTPServing

struct HeadTests {
    /// A connection whose time passes only when it is told to.
    private let channel = EmbeddedChannel()

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(ConnectionUpkeep(patience: .hours(24), headPatience: .seconds(5)))
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/here"), promise: nil)
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    @Test func headersMustBeThereInTimeHoweverSlowlyTheyCome() throws {
        try send("GET / HTTP/1.1\r\n")
        for _ in 0..<4 {
            pass(.seconds(1))
            #expect(channel.isActive)
            try send("X")
        }
        pass(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func aConnectionWithoutARequestOrWithAWholeOneIsNotClosed() throws {
        pass(.hours(1))
        for _ in 0..<3 {
            try send("POST / HTTP/1.1\r\nHost: here\r\n")
            pass(.seconds(4))
            // A body has a limit of its own.
            try send("Content-Length: 3\r\n\r\nab")
            pass(.hours(1))
            try send("c")
            pass(.hours(1))
            #expect(channel.isActive)
        }
        try send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET")
        pass(.hours(1))
        #expect(channel.isActive)
        // The next request began with the end of the one before, and goes on now.
        try send(" / ")
        pass(.seconds(5))
        #expect(!channel.isActive)
    }
}
