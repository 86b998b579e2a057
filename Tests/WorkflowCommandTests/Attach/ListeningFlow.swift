import FlowProtocol
import Foundation
import LibC
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@testable import WorkflowCommand

/// A session of this process that others attach to.
final class ListeningFlow {
    let scene: Scene
    let session: FlowSession

    var path: String { scene.path("s.sock") }

    /// - Parameter text: The flow; an example's if it is the name of one.
    init(
        _ text: String, props: Value = [:], timeLimit: Duration? = .unreached,
        scene: Scene? = nil
    ) async throws {
        let scene = try scene ?? Scene()
        self.scene = scene
        var options = FlowOptions(props: props)
        options.limits.timeLimit = timeLimit
        options.plugins = try WorkerRegistry(StandardPlugins.compiledIn)
        let file = text.contains("\n") ? nil : BuildFolder.example(text)
        let source =
            file.map { FlowSource.file($0.appendingPathComponent("\(text).lua").path) }
            ?? .text(text, name: "flow.lua")
        session = try await FlowSession.open(source, options: options)
        try await session.listen(at: scene.path("s.sock"))
    }

    /// The outcome of commands that are read from a pipe.
    func attach(_ options: String..., input: String) async throws -> Outcome {
        try await scene.run(["attach", path] + options, input: input)
    }
}

/// A listener that is not a session: it says something to each client, and hangs up or answers each
/// request.
final class FakeProgram: Sendable {
    private let socket: SocketDescriptor

    /// - Parameters:
    ///   - text: Its first words; `nil` for a program that has ended, and left its socket.
    ///   - answer: Gives the value of the reply to a request; by default it hangs up at once.
    init(
        at path: String, saying text: String?,
        answering answer: (@Sendable (_ request: Value) -> Value)? = nil
    ) throws {
        let address = try SocketAddress(path: path)
        socket = SocketDescriptor(SocketAddress.makeSocket())
        let isBound = address.with { bindSocket(socket.number, $0, $1) } == 0
        try #require(isBound)
        guard let text else { return }
        try #require(listen(socket.number, 1) == 0)
        DispatchQueue(label: "fake").async { [socket] in
            let client = SocketDescriptor(accept(socket.number, nil, nil))
            guard client.number >= 0 else { return }
            func say(_ text: String) {
                _ = Array(text.utf8).withUnsafeBytes { SocketAddress.send($0, to: client.number) }
            }
            say(text)
            if answer == nil { shutdown(client.number, Int32(SHUT_WR)) }
            // The end of the other's interest, so that nothing it sends is in the way of what it
            // was told.
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while recv(client.number, &byte, 1, 0) > 0 {
                line.append(byte)
                guard let answer, byte == UInt8(ascii: "\n") else { continue }
                if let request = try? Value(json: line), let id = request["id"] {
                    let reply: Value = [
                        "v": 1, "seq": 1, "type": "reply", "id": id, "ok": true,
                        "value": answer(request),
                    ]
                    say(reply.json + "\n")
                }
                line = []
            }
        }
    }

    deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }
}

/// A client that says nothing and reads nothing, until it is released.
final class SilentClient: Sendable {
    private let socket: SocketDescriptor

    init(_ path: String) throws {
        let address = try SocketAddress(path: path)
        socket = SocketDescriptor(SocketAddress.makeSocket())
        let isConnected = address.with { connectSocket(socket.number, $0, $1) } == 0
        try #require(isConnected)
    }
}

/// A socket that is closed when nobody uses it any more.
private final class SocketDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

/// The system's functions, which those of the types would hide.
private func connectSocket(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    connect(socket, address, size)
}

private func bindSocket(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    bind(socket, address, size)
}
