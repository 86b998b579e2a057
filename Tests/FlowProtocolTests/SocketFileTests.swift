@testable import FlowProtocol
import Foundation
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct SocketFileTests {
    private let folder: Folder

    init() throws { folder = try Folder.forSockets() }

    private func session() async throws -> FlowSession { try await FlowSession.open(.counter) }

    private func refusal(at path: String) async throws -> FlowError {
        let session = try await session()
        return try #require(
            await #expect(throws: FlowError.self) { try await session.listen(at: path) })
    }

    @Test func fileIsItsUsersAloneAndTheOnlyOne() async throws {
        let socket = try await session().listen(at: folder.socket)
        #expect(try folder.mode(of: folder.socket) == S_IFSOCK | 0o600)
        #expect(try folder.names() == ["s.sock"])
        await socket.close()
        #expect(try folder.names() == [])
    }

    @Test func otherUserIsRefused() async throws {
        let session = try await session()
        let socket = try await session.listen(
            at: folder.socket, limits: SocketLimits(), user: geteuid() + 1)
        let peer = try SocketPeer(folder.socket)
        peer.send(#"{"id":1,"do":"send","action":"add"}"#)
        let told = try await peer.rest()
        #expect(told.map { $0["type"] } == ["error", "done"])
        #expect(told.first?["message"] == "the session belongs to another user")
        #expect(told.first?["help"] == "attach as the user that runs its program")
        #expect(told.last?["reason"] == "refused")
        await socket.close()
        #expect(await session.rendering["n"] == 0)
    }

    @Test func socketOfAProcessThatHasEndedIsReplaced() async throws {
        _ = try PlainSocket(at: folder.socket)
        let session = try await session()
        let socket = try await session.listen(at: folder.socket)
        let peer = try SocketPeer(folder.socket)
        #expect(try await peer.next("ready")["flow"] == "counter")
        #expect(try folder.names() == ["s.sock"])
        await socket.close()
    }

    @Test func socketOfALivingProcessIsLeftAlone() async throws {
        let first = try await session()
        try await first.listen(at: folder.socket)
        let error = try await refusal(at: folder.socket)
        #expect(error.message == "a program listens at \(folder.socket) already")
        #expect(
            error.help
                == "attach to it with workflow-run attach \(folder.socket), or choose another path")
        let peer = try SocketPeer(folder.socket)
        #expect(try await peer.next("ready")["flow"] == "counter")
        #expect(try folder.names() == ["s.sock"])
        await first.close()
    }

    @Test func ofManyThatReplaceAStaleSocketOneListens() async throws {
        for _ in 1...20 {
            _ = try PlainSocket(at: folder.socket)
            var sessions: [FlowSession] = []
            for _ in 1...6 { sessions.append(try await session()) }
            let path = folder.socket
            let count = await withTaskGroup(of: Bool.self) { group in
                for session in sessions {
                    group.addTask { (try? await session.listen(at: path)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 1)
            let peer = try SocketPeer(path)
            #expect(try await peer.next("ready")["flow"] == "counter")
            for session in sessions { await session.close() }
            #expect(try folder.names() == [])
        }
    }

    @Test func fileThatIsNoSocketIsLeftAlone() async throws {
        try Data("notes".utf8).write(to: URL(fileURLWithPath: folder.socket))
        let error = try await refusal(at: folder.socket)
        #expect(error.code == .file)
        #expect(error.message == "there is a file \(folder.socket) already, and it is not a socket")
        #expect(error.help == "choose another path, or remove the file first")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.socket)) == Data("notes".utf8))
        #expect(try folder.names() == ["s.sock"])
    }

    @Test func pathMayNotBeLongerThanTheSystemTakes() async throws {
        let name = String(repeating: "x", count: SocketAddress.longestPath - folder.path.count - 1)
        let longest = folder.path + "/" + name
        let socket = try await session().listen(at: longest)
        #expect(try folder.names() == [name])
        await socket.close()
        let error = try await refusal(at: longest + "x")
        #expect(
            error.message == """
                the path of the socket is too long: \(SocketAddress.longestPath + 1) bytes, where the system takes \
                \(SocketAddress.longestPath)
                """)
        #expect(error.help == "choose a shorter path, such as /tmp/flow.sock")
    }

    @Test func pathMayNotBeEmpty() async throws {
        let error = try await refusal(at: "")
        #expect(
            error.said == """
                the path of the socket is empty or has a zero byte in it
                help: give a path such as /tmp/flow.sock
                """)
    }

    @Test func socketOfAnotherKindIsLeftAlone() async throws {
        let other = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        let address = try SocketAddress(path: folder.socket)
        try #require(address.with { bind(other, $0, $1) } == 0)
        let error = try await refusal(at: folder.socket)
        #expect(
            error.said == """
                there is a socket \(folder.socket) already that cannot be reached: Protocol wrong type for socket
                help: choose another path
                """)
    }

    @Test func folderMustBeThere() async throws {
        let error = try await refusal(at: folder.path + "/none/s.sock")
        #expect(
            error.message
                == "the socket \(folder.path)/none/s.sock cannot be made: there is no folder \(folder.path)/none/"
        )
        #expect(error.help == "make the folder first")
    }

    @Test func closedSessionDoesNotListen() async throws {
        let session = try await session()
        await session.close()
        let error = await #expect(throws: FlowError.self) {
            try await session.listen(at: folder.socket)
        }
        #expect(error?.code == .misuse)
        #expect(error?.message == "the session is closed")
        #expect(try folder.names() == [])
    }

    @Test func fileOfSomebodyElseIsNotRemoved() async throws {
        let socket = try await session().listen(at: folder.socket)
        try FileManager.default.removeItem(atPath: folder.socket)
        try Data("notes".utf8).write(to: URL(fileURLWithPath: folder.socket))
        await socket.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.socket)) == Data("notes".utf8))
    }

    @Test func closingTheSessionRemovesTheFile() async throws {
        let session = try await session()
        try await session.listen(at: folder.socket)
        try await session.listen(at: folder.path + "/t.sock")
        #expect(try folder.names() == ["s.sock", "t.sock"])
        await session.close()
        #expect(try folder.names() == [])
    }

    @Test func releasedSessionEndsItsConnectionsAndRemovesTheFile() async throws {
        var session: FlowSession? = try await session()
        try await session?.listen(at: folder.socket)
        let peer = try SocketPeer(folder.socket)
        _ = try await peer.next("rendering")
        session = nil
        #expect(try await peer.rest().last?["reason"] == "closed")
        #expect(try folder.names() == [])
    }
}
