@testable import FlowProtocol
import Foundation
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

/// A client of a session's socket, like a program in another language.
final class SocketPeer {
    private let file: PlainSocket
    private let lines: AsyncStream<String>
    private lazy var iterator = lines.makeAsyncIterator()
    private let goesOn = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - reads: Reads at once; otherwise only after ``read()``.
    ///   - answer: Returns what to send at once for a received line, on a separate thread.
    init(
        _ path: String, reads: Bool = true,
        answering answer: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws {
        file = try PlainSocket(connectingTo: path)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let (file, goesOn) = (file, goesOn)
        DispatchQueue(label: "peer").async {
            if !reads { goesOn.wait() }
            var buffer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(file.number, &chunk, chunk.count, 0)
                if count <= 0 { break }
                buffer += chunk[..<count]
                var start = 0
                while let end = buffer[start...].firstIndex(of: 0x0A) {
                    let line = String(decoding: buffer[start..<end], as: UTF8.self)
                    if let text = answer(line) { Self.send(Array((text + "\n").utf8), to: file) }
                    continuation.yield(line)
                    start = end + 1
                }
                buffer.removeFirst(start)
            }
            continuation.finish()
        }
    }

    deinit {
        leave()
        goesOn.signal()
    }

    func read() { goesOn.signal() }

    func send(_ text: String) { send(bytes: Array((text + "\n").utf8)) }

    func send(bytes: [UInt8]) { Self.send(bytes, to: file) }

    /// Sends on a separate thread, while the replies are read.
    func sendBeside(_ text: String) {
        let file = file
        DispatchQueue(label: "requests").async { Self.send(Array(text.utf8), to: file) }
    }

    private static func send(_ bytes: [UInt8], to file: PlainSocket) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SocketAddress.send($0, to: file.number) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    func endRequests() { shutdown(file.number, Int32(SHUT_WR)) }

    func leave() { shutdown(file.number, Int32(SHUT_RDWR)) }

    /// The next line; `nil` at the end.
    func next() async throws -> Value? {
        guard let line = await iterator.next(isolation: #isolation) else { return nil }
        return try Value(json: line)
    }

    func next(_ types: String...) async throws -> Value {
        while let event = try await next() {
            if types.contains(event["type"]?.string ?? "") { return event }
        }
        throw Missing(types: types)
    }

    func rest() async throws -> [Value] {
        var all: [Value] = []
        while let event = try await next() { all.append(event) }
        return all
    }

    /// Sends a request and returns its reply and the lines before it.
    func ask(_ request: String) async throws -> (told: [Value], reply: Value) {
        send(request)
        var told: [Value] = []
        while let event = try await next() {
            if event["type"] == "reply" { return (told, event) }
            told.append(event)
        }
        throw Missing(types: ["reply"])
    }

    struct Missing: Error { let types: [String] }
}

extension Folder {
    /// A folder with a path that is short enough for sockets.
    static func forSockets() throws -> Folder { try Folder(in: "/tmp") }

    var socket: String { path("s.sock") }

    func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode
    }
}
