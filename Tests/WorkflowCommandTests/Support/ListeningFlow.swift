import FlowProtocol
import Foundation
import LibC
import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@testable import WorkflowCommand

final class ListeningFlow {
    let scene: Folder
    let session: FlowSession

    var path: String { scene.path("s.sock") }

    /// - Parameter text: The flow; an example's if it is the name of one.
    init(
        _ text: String, props: Value = [:], timeLimit: Duration? = .unreached, scene: Folder? = nil
    ) async throws {
        let scene = try scene ?? Folder()
        self.scene = scene
        var options = FlowOptions(props: props)
        options.limits.timeLimit = timeLimit
        options.plugins = try WorkerRegistry(StandardPlugins.compiledIn)
        let isText = text.contains("\n")
        let source: FlowSource =
            isText ? .text(text, name: "flow.lua") : .file(Repository.example(text))
        session = try await FlowSession.open(source, options: options)
        try await session.listen(at: scene.path("s.sock"))
    }

    func attach(_ options: String..., input: String) async throws -> Outcome {
        try await scene.run(["attach", path] + options, input: input)
    }
}

/// A listener that is not a session: it greets each client, and hangs up or answers each request.
final class FakeProgram: Sendable {
    private let socket: PlainSocket

    /// - Parameters:
    ///   - text: Its first words; `nil` for a program that has ended, and left its socket.
    ///   - answer: Gives the value of the reply to a request; by default it hangs up at once.
    init(
        at path: String, saying text: String?,
        answering answer: (@Sendable (_ request: Value) -> Value)? = nil
    ) throws {
        socket = try PlainSocket(at: path)
        guard let text else { return }
        try #require(listen(socket.number, 1) == 0)
        DispatchQueue(label: "fake").async { [socket] in
            let client = accept(socket.number, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            func say(_ text: String) {
                _ = Array(text.utf8).withUnsafeBytes { SocketAddress.send($0, to: client) }
            }
            say(text)
            if answer == nil { shutdown(client, Int32(SHUT_WR)) }
            // The end of the other's interest, so that nothing it sends disturbs what it was told.
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {
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
