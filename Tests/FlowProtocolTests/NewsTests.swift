import Workflow
@testable import FlowProtocol
import Foundation
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
@testable import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct NewsTests {
    private let folder: Folder

    init() throws { folder = try Folder.forSockets() }

    private func open(_ source: FlowSource = .counter) async throws -> FlowSession {
        let session = try await FlowSession.open(source, options: FlowOptions(limits: .unhurried))
        try await session.listen(at: folder.socket, greets: false)
        return session
    }

    private func follow() async throws -> (peer: SocketPeer, first: Value) {
        let peer = try SocketPeer(folder.socket)
        let (told, reply) = try await peer.ask(#"{"id":1,"do":"follow"}"#)
        // There is no greeting here.
        #expect(told.isEmpty)
        #expect(reply["ok"] == true)
        return (peer, try await peer.next("news"))
    }

    private func news(_ peer: SocketPeer, until step: Int) async throws -> [Value] {
        var all: [Value] = []
        repeat { all.append(try await peer.next("news")) } while all.last?["step"]?.int != step
        return all
    }

    /// The items in the lists of some news under a name, one after another.
    private func items(of news: [Value], at name: String) -> [Value] {
        news.flatMap { one -> [Value] in
            guard let list = one[name]?.list else { return [] }
            return Array(list)
        }
    }

    @Test func newsTellOfStepsAndNotOfRenderings() async throws {
        let session = try await open()
        try await session.send("add")
        let (peer, first) = try await follow()
        #expect(first["step"] == 1)
        #expect(first["entries"] == [])
        #expect(first["flow"] == "counter")
        try await session.send(["type": "add", "by": 2])
        try await session.send("tell")
        let all = try await news(peer, until: 3)
        let entries = items(of: all, at: "entries")
        #expect(entries.map { $0["step"]?.int } == [2, 3])
        #expect(entries.map { $0["title"]?.string } == ["add", "tell"])
        #expect(items(of: all, at: "changed") == ["n"])
        let outputs = items(of: all, at: "outputs")
        #expect(outputs.map { $0["step"]?.int } == [3])
        #expect(outputs[0]["output"]?["entries"] == [["n", 3]])
        await session.close()
        let rest = try await peer.rest()
        #expect(!rest.contains { $0["type"] == "rendering" || $0["type"] == "action" })
        #expect(rest.last?["type"] == "done")
    }

    @Test func whatIsGivenUpIsTold() async throws {
        let session = try await open()
        let (peer, _) = try await follow()
        for _ in 1...3 { try await session.send("add") }
        _ = try await news(peer, until: 3)
        try await session.go(to: 1)
        let past = try await news(peer, until: 1)
        #expect(past.last?["past"] == true)
        #expect(past.last?["of"] == 3)
        try await session.send(["type": "add", "by": 5])
        let all = try await news(peer, until: 2)
        #expect(all.compactMap { $0["cut"] } == [1])
        #expect(all.last?["past"] == false)
        #expect(all.last?["entries"]?[0]?["text"] == "add { by = 5 }")
        try await session.reload(.replayingInputs)
        #expect(try await peer.next("news")["cut"] == 0)
        await session.close()
    }

    @Test func errorsAndWarningsAreTold() async throws {
        let session = try await open()
        let (peer, _) = try await follow()
        _ = await #expect(throws: FlowError.self) { try await session.send("spoil") }
        _ = await #expect(throws: FlowError.self) { try await session.send("add", to: "nobody") }
        var errors: [Value] = []
        while errors.count < 2 {
            errors += try await peer.next("news")["errors"]?.list.map(Array.init) ?? []
        }
        #expect(errors[0]["message"] == "no luck")
        #expect(errors[0]["excerpt"]?["lines"]?.list?.isEmpty == false)
        #expect(errors[1]["code"] == "unknown_node")
        await session.close()
    }

    /// However much happens and however slow the reader is, only a limited amount waits.
    @Test func aReaderThatDoesNotReadHoldsNothing() async throws {
        let flow = FlowSource.text(
            """
            local Flow = { name = "flow" }
            function Flow.state() return { n = 0, text = string.rep("x", 100000) } end
            Flow.apply = { add = function(state) state.n = state.n + 1 return state.n end }
            function Flow.render(state, context) return { n = state.n, text = state.text .. state.n } end
            return Flow
            """, name: "flow.lua")
        let session = try await open(flow)
        let peer = try SocketPeer(folder.socket, reads: false)
        peer.send(#"{"id":1,"do":"follow"}"#)
        while await session.attachmentCount < 2 { await Task.yield() }
        for _ in 1...2_000 { try await session.send("add") }
        peer.read()
        // The client was not dropped, and learns the session's step.
        let all = try await news(peer, until: 2_000)
        let outputs = all.reduce(0) {
            $0 + ($1["outputs"]?.list?.count ?? 0) + ($1["dropped"]?["outputs"]?.int ?? 0)
        }
        #expect(outputs == 2_000)
        #expect(all.allSatisfy { ($0["entries"]?.list?.count ?? 0) <= 50 })
        await session.close()
    }

    /// Events are complete, so a client with restricted scopes gets none.
    @Test func aNarrowedClientIsToldNoEvents() async throws {
        let session = try await open()
        let peer = try SocketPeer(folder.socket)
        _ = try await peer.ask(#"{"id":1,"do":"narrow","to":["view","act"]}"#)
        let (told, _) = try await peer.ask(#"{"id":2,"do":"send","action":"add"}"#)
        #expect(told.isEmpty)
        try await session.send("tell")
        #expect(try await peer.ask(#"{"id":3,"do":"status"}"#).told.isEmpty)
        await session.close()
    }

    // MARK: Forks

    @Test func aClientThatHasGoneIsFreed() async throws {
        let session = try await open()
        weak var follower: NewsFollower?
        func use() async throws {
            let (peer, _) = try await follow()
            follower = await session.follower
            #expect(follower != nil)
            peer.leave()
        }
        try await use()
        await session.close()
        while follower != nil { await Task.yield() }
    }

    @Test func aForkGoesItsOwnWay() async throws {
        let session = try await open()
        for _ in 1...3 { try await session.send("add") }
        let (peer, _) = try await follow()
        let made = try await peer.ask(#"{"id":2,"do":"fork","step":2}"#).reply
        #expect(made["value"]?["session"] == 2)
        let fork = try SocketPeer(folder.socket + ".2")
        let count = try await fork.ask(#"{"id":1,"do":"value","path":"n"}"#).reply
        #expect(count["value"]?["slice"] == 2)
        _ = try await fork.ask(#"{"id":2,"do":"send","action":{"type":"add","by":10}}"#)
        let grown = try await fork.ask(#"{"id":3,"do":"value","path":"n"}"#).reply
        #expect(grown["value"]?["slice"] == 12)
        #expect(await session.rendering["n"] == 3)
        #expect(await session.stepCount == 3)
        let again = try await fork.ask(#"{"id":4,"do":"fork","step":0}"#).reply
        #expect(again["value"]?["session"] == 3)
        #expect(try await peer.ask(#"{"id":5,"do":"unfork","session":2}"#).reply["ok"] == true)
        #expect(try await fork.rest().last?["type"] == "done")
        #expect(try await peer.ask(#"{"id":6,"do":"unfork","session":2}"#).reply["ok"] == false)
        #expect(
            try await peer.ask(#"{"id":7,"do":"fork","step":9}"#).reply["error"]?["message"]
                == "there is no step 9")
        let third = try SocketPeer(folder.socket + ".3")
        await session.close()
        // Forks end with their session.
        #expect(try await third.rest().last?["type"] == "done")
    }

    @Test func thereIsAnEndToForks() async throws {
        let session = try await open()
        let (peer, _) = try await follow()
        for _ in 1...8 { #expect(try await peer.ask(#"{"id":2,"do":"fork"}"#).reply["ok"] == true) }
        #expect(
            try await peer.ask(#"{"id":2,"do":"fork"}"#).reply["error"]?["message"]
                == "there are 8 forks, and no more may be")
        await session.close()
    }
}

extension FlowSession {
    /// The number of receivers of events: the socket and each follower.
    fileprivate var attachmentCount: Int { log.attachments.count }
}

extension FlowSession {
    /// Sends news to its first client that follows it.
    fileprivate var follower: NewsFollower? {
        log.attachments.compactMap { $0 as? NewsFollower }.first
    }
}
