import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Keeps the rules of RFC 9112 that need more of a message than its method, path, fields and body.
///
/// It sees messages with their versions:
///
/// - A request of HTTP/1.0, with `Connection: close` or for another protocol is the last one.
/// - A request is for the host in its target, if that has one.
/// - An answer to HTTP/1.0 is never chunked, and a request of HTTP/1.0 expects nothing.
/// - An answer that is not the expected `100 Continue` ends the connection: a body may follow.
/// - What cannot be parsed is answered with its status.
/// - Each answer has a `Date`.
final class MessageRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that has no whole answer yet.
    private struct Exchange {
        /// True if the version is HTTP/1.0.
        let isOld: Bool
        let isHead: Bool
        /// True if the connection ends with the answer.
        let isLast: Bool
        /// True if the client waits before it sends the body.
        var awaitsContinue: Bool
        /// True if the body is there.
        var isRead = false

        /// True if it is unknown whether the client sends a body before the next request.
        var isUnclear: Bool { awaitsContinue && !isRead }
    }

    /// The time that a client has for reading the last answer.
    private static let lingering = TimeAmount.seconds(2)

    private let isLineTooLong: () -> Bool
    private let onRefusal: @Sendable (Problem) -> Void
    private var exchanges = CircularBuffer<Exchange>()
    /// True if the body of a request is not there yet.
    private var isInBody = false
    /// The problem of what could not be parsed.
    private var problem: Problem?

    /// - Parameter isLineTooLong: True if the first line of a request is longer than its headers
    ///   may be.
    init(isLineTooLong: @escaping () -> Bool, onRefusal: @escaping @Sendable (Problem) -> Void) {
        self.isLineTooLong = isLineTooLong
        self.onRefusal = onRefusal
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isInBody = true
            context.fireChannelRead(wrapInboundOut(.head(noted(head))))
        case .body: context.fireChannelRead(data)
        case .end:
            isInBody = false
            if var last = exchanges.popLast() {
                last.isRead = true
                exchanges.append(last)
            }
            context.fireChannelRead(data)
        }
    }

    /// Notes a request, and gives it the form that it has in HTTP/1.1.
    private func noted(_ head: HTTPRequestHead) -> HTTPRequestHead {
        var head = head
        let isOld = head.version.minor == 0
        if isOld {
            head.headers.remove(name: "Expect")
            // No browser sends such a request, and so no page of another site.
            if !head.headers.contains(name: "Host") {
                head.headers.add(name: "Host", value: "localhost")
            }
        }
        if let host = head.targetHost, head.headers["Host"].count == 1 {
            head.headers.replaceOrAdd(name: "Host", value: host)
        }
        // The parser stops after what could be a change of the protocol.
        let isLast =
            isOld || !head.isKeepAlive || head.method == .CONNECT
            || head.headers.contains(name: "Upgrade")
        // The server ends the connection for this text alone.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        exchanges.append(
            Exchange(
                isOld: isOld, isHead: head.method == .HEAD, isLast: isLast,
                awaitsContinue: head.headers["Expect"].contains {
                    $0.lowercased() == "100-continue"
                }))
        return head
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A body that cannot be parsed is its request's problem, and after the last nobody waits.
        if let error = error as? HTTPParserError, problem == nil, !isInBody,
            error != .closedConnection
        {
            let problem = Problem(error, isLineTooLong: isLineTooLong())
            self.problem = problem
            onRefusal(problem)
        }
        // The server answers it after the requests before.
        context.fireErrorCaught(error)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code):
            if !exchanges.isEmpty { exchanges[exchanges.startIndex].awaitsContinue = false }
            context.write(data, promise: promise)
        case .head(let head): write(head, context, promise)
        case .body: context.write(data, promise: promise)
        case .end: writeEnd(data, context, promise)
        }
    }

    private func write(
        _ head: HTTPResponseHead, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        guard let exchange = exchanges.first else {
            writeProblem(head, context, promise)
            return
        }
        var head = head
        head.headers.replaceOrAdd(name: "Date", value: HTTPDate.now)
        if exchange.isLast || exchange.isUnclear {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        // The encoder sends a body without a length in chunks, unless the version has none.
        if exchange.isOld, !head.headers.contains(name: "Content-Length") {
            head.version = .http1_0
        }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// Writes the answer to what could not be parsed, in the place of the server's own, which has
    /// no body; or the answer to a connection that is refused.
    private func writeProblem(
        _ head: HTTPResponseHead, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        var head = head
        guard let problem, head.status == .badRequest else {
            head.headers.replaceOrAdd(name: "Date", value: HTTPDate.now)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        }
        let response = problem.response.secured()
        head.status = HTTPResponseStatus(statusCode: response.status.code)
        head.headers = HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        head.headers.add(name: "Connection", value: "close")
        head.headers.add(name: "Date", value: HTTPDate.now)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(problem.bytes))), promise: promise)
    }

    private func writeEnd(
        _ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let exchange = exchanges.popFirst()
        if exchange?.isHead == true {
            // The encoder would end a body in chunks here, and an answer to HEAD has none.
            promise?.succeed()
        } else {
            context.write(data, promise: promise)
        }
        // The server itself would go on with the next request.
        guard exchange?.isUnclear == true else { return }
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
    }
}

extension HTTPRequestHead {
    /// The host in the target of a request, as a client of a proxy writes it (RFC 9112, 3.2.2).
    fileprivate var targetHost: String? {
        guard uri.first != "/", let start = uri.firstRange(of: "://") else { return nil }
        return String(uri[start.upperBound...].prefix { !"/?#".contains($0) })
    }
}

extension Problem {
    fileprivate init(_ error: HTTPParserError, isLineTooLong: Bool) {
        switch error {
        case .headerOverflow where isLineTooLong:
            self.init(
                .uriTooLong, "bad_request", "Target too long",
                detail: "The path and the query of a request share the limit of its headers.")
        case .headerOverflow:
            self.init(
                .headersTooLarge, "bad_request", "Headers too large",
                detail: "The headers of a request are too many, or have too many bytes.")
        case .invalidVersion, .paused:
            self.init(
                .versionNotSupported, "bad_request", "Version not supported",
                detail: "The versions are HTTP/1.1 and HTTP/1.0.")
        case .invalidMethod:
            self.init(
                .notImplemented, "bad_request", "Unknown method",
                detail: "There is no such method. OPTIONS * says which there are.")
        default:
            self.init(
                .badRequest, "bad_request", "Unreadable request",
                detail: "It does not have the form of HTTP/1.1: \(error).")
        }
    }
}
