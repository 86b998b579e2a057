import Workflow
@testable import FlowProtocol
import Foundation
import LibC
import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct SocketClientTests {
    private let folder: Folder

    init() throws { folder = try Folder.forSockets() }

    private func open(
        _ source: FlowSource = .counter, limits: SocketLimits = SocketLimits(),
        options: FlowOptions = FlowOptions(limits: .unhurried)
    ) async throws -> FlowSession {
        let session = try await FlowSession.open(source, options: options)
        _ = try await session.listen(at: folder.socket, limits: limits, user: geteuid())
        return session
    }

    private func attach(reads: Bool = true) async throws -> SocketPeer {
        let peer = try SocketPeer(folder.socket, reads: reads)
        if reads { _ = try await peer.next("rendering") }
        return peer
    }

    // MARK: Events

    @Test func clientIsToldOfTheSessionAsItIs() async throws {
        let session = try await open()
        try await session.send("add")
        try await session.send("add")
        try await session.undo()
        let peer = try SocketPeer(folder.socket)
        let ready = try #require(try await peer.next())
        #expect(ready["type"] == "ready")
        #expect(ready["protocol"] == 1)
        #expect(ready["step"] == 1)
        #expect(ready["seq"] == 8)
        let document = try #require(ready["snapshot"])
        #expect(try FlowSnapshot(document: document).flow == "counter")
        let rendering = try #require(try await peer.next())
        #expect(rendering["type"] == "rendering")
        #expect(rendering["rendering"]?["n"] == 1)
        #expect(rendering["actions"] == ["add", "spoil", "tell"])
        #expect(rendering["seq"] == 8)
        await session.close()
    }

    @Test func clientThatComesBeforeTheSessionBeginsWaits() async throws {
        let session = FlowSession()
        try await session.listen(at: folder.socket)
        let peer = try SocketPeer(folder.socket)
        peer.send(#"{"id":1,"do":"send","action":"add"}"#)
        try await session.start(.counter)
        _ = try await peer.next("ready")
        let told = [try await peer.next(), try await peer.next(), try await peer.next()]
        #expect(told.map { $0?["type"] } == ["rendering", "action", "rendering"])
        #expect(try await peer.next("reply")["ok"] == true)
        await session.close()
        let never = FlowSession()
        try await never.listen(at: folder.socket)
        let waiting = try SocketPeer(folder.socket)
        await #expect(throws: FlowError.self) { try await never.start(.text("return 1")) }
        await never.close()
        #expect(try await waiting.rest().map { $0["reason"] } == ["closed"])
    }

    @Test func clientsAreToldTheSameAndGetTheirOwnReplies() async throws {
        let session = try await open()
        let first = try await attach()
        let second = try await attach()
        let (told, reply) = try await first.ask(#"{"id":"a","do":"send","action":"add"}"#)
        #expect(told.map { $0["type"] } == ["action", "rendering"])
        #expect(reply["id"] == "a")
        #expect(reply["ok"] == true)
        // It has the number of the last event before it.
        #expect(reply["seq"] == told.last?["seq"])
        // No reply or snapshot of the first client precedes the second one's own reply.
        _ = try await first.ask(#"{"id":"b","do":"snapshot"}"#)
        let (others, own) = try await second.ask(#"{"id":2,"do":"status"}"#)
        #expect(others == told)
        #expect(own["id"] == 2)
        #expect(
            own["value"] == [
                "flow": "counter", "step": 1, "of": 1, "actions": ["add", "spoil", "tell"],
                "working": false,
            ])
        await session.close()
        #expect(try await first.rest().map { $0["reason"] } == ["closed"])
        #expect(try await second.rest().map { $0["reason"] } == ["closed"])
    }

    @Test func eventsTellWhichClientAskedForThem() async throws {
        let session = try await open()
        let peers = [try SocketPeer(folder.socket), try SocketPeer(folder.socket)]
        for (index, peer) in peers.enumerated() {
            #expect(try await peer.next("ready")["client"] == .int(index + 1))
            #expect(try await peer.next("rendering")["client"] == nil)
        }
        try await session.send("add")
        _ = try await peers[1].ask(#"{"id":1,"do":"send","action":"add"}"#)
        _ = try await peers[0].ask(#"{"id":1,"do":"undo"}"#)
        _ = try await peers[1].ask(#"{"id":1,"do":"branch"}"#)
        _ = try await peers[1].ask(#"{"id":1,"do":"props","props":{"x":1}}"#)
        let (told, _) = try await peers[0].ask(#"{"id":1,"do":"status"}"#)
        try await session.undo()
        #expect(told.map { $0["type"] } == ["moved", "props", "rendering"])
        #expect(told.map { $0["client"] } == [2, 2, nil])
        let (later, _) = try await peers[1].ask(#"{"id":1,"do":"status"}"#)
        #expect(later.map { $0["type"] } == ["moved", "rendering"])
        #expect(later.map { $0["client"] } == [nil, nil])
        let third = try SocketPeer(folder.socket)
        #expect(try await third.next("ready")["client"] == 3)
        await session.close()
    }

    @Test func aRequestThatNoClientMadeGetsNoReplyThere() async throws {
        let session = try await open()
        let peer = try await attach()
        _ = await session.serve(#"{"id":1,"do":"snapshot"}"#)
        _ = await session.serve(#"{"id":2,"do":"send","action":"add"}"#)
        let (told, _) = try await peer.ask(#"{"id":3,"do":"status"}"#)
        #expect(told.map { $0["type"] } == ["action", "rendering"])
        await session.close()
    }

    @Test func clientThatDoesNotReadIsDroppedAndHoldsUpNobody() async throws {
        var limits = SocketLimits()
        limits.unread = 100_000
        let session = try await open(limits: limits)
        let idle = try SocketPeer(folder.socket, reads: false)
        let busy = try await attach()
        let text = String(repeating: "x", count: 1000)
        for count in 1...2000 {
            try await session.send(["type": "add", "by": 51, "text": .string(text)])
            let isSeen = Value.int(count * 51)
            while try await busy.next("rendering")["rendering"]?["n"] != isSeen {}
        }
        idle.read()
        let told = try await idle.rest()
        #expect(told.first?["type"] == "ready")
        #expect(told.count < 4000)
        let end = told.suffix(2)
        #expect(end.first?["type"] == "error")
        #expect(end.first?["code"] == "connection")
        #expect(
            end.first?["message"] == """
                the client was dropped: it did not read, and more than 97 KB of events waited for it
                """)
        #expect(end.first?["help"] == "attach again, and read what comes")
        #expect(end.last?["reason"] == "dropped")
        // All lines before it are complete, and none is missing.
        let numbers = told.dropFirst(2).dropLast(2).compactMap { $0["seq"]?.int }
        #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
        await session.close()
    }

    @Test func oneClientTooManyIsRefused() async throws {
        var limits = SocketLimits()
        limits.clients = 2
        let session = try await open(limits: limits)
        let first = try await attach()
        let second = try await attach()
        let third = try SocketPeer(folder.socket)
        let told = try await third.rest()
        #expect(told.map { $0["type"] } == ["error", "done"])
        #expect(told.first?["message"] == "2 clients are attached, and no more may be")
        #expect(told.first?["help"] == "detach one of them first")
        first.leave()
        _ = try await first.rest()
        // The place is free when the server has noticed that the client left.
        while try await SocketPeer(folder.socket).next()?["type"] != "ready" {}
        _ = try await second.ask(#"{"id":1,"do":"status"}"#)
        await session.close()
    }

    /// Silent clients take a place each, and delay nobody.
    @Test func asManyAsMayBeAreServedAndTheNextIsRefusedAtOnce() async throws {
        let session = try await open()
        let count = SocketLimits().clients
        // They do not read, so that they need no threads of this process.
        var silent = try (1..<count).map { _ in try PlainSocket(connectingTo: folder.socket) }
        let busy = try await attach()
        #expect(try await busy.ask(#"{"id":1,"do":"send","action":"add"}"#).reply["ok"] == true)
        let refused = try await SocketPeer(folder.socket).rest()
        #expect(refused.map { $0["type"] } == ["error", "done"])
        #expect(refused.first?["code"] == "connection")
        #expect(refused.first?["message"] == "64 clients are attached, and no more may be")
        #expect(refused.last?["reason"] == "refused")
        silent.removeLast()
        // The place is free when the server has noticed that the client left.
        while try await SocketPeer(folder.socket).next()?["type"] != "ready" {}
        #expect(try await busy.ask(#"{"id":2,"do":"status"}"#).reply["ok"] == true)
        await session.close()
    }

    // MARK: Requests

    @Test func stepsAreGoneBackAndForth() async throws {
        let session = try await open()
        let peer = try await attach()
        for id in 1...3 { _ = try await peer.ask(#"{"id":\#(id),"do":"send","action":"add"}"#) }
        #expect(try await peer.ask(#"{"id":4,"do":"undo"}"#).told.last?["rendering"]?["n"] == 2)
        #expect(
            try await peer.ask(#"{"id":5,"do":"goto","step":0}"#).told.last?["rendering"]?["n"] == 0
        )
        #expect(try await peer.ask(#"{"id":6,"do":"redo"}"#).told.last?["rendering"]?["n"] == 1)
        let (told, reply) = try await peer.ask(#"{"id":7,"do":"branch"}"#)
        #expect(told.map { $0["type"] } == ["moved"])
        #expect(reply["ok"] == true)
        let timeline = try await peer.ask(#"{"id":8,"do":"timeline"}"#).reply["value"]
        #expect(timeline?["step"] == 1)
        #expect(timeline?["of"] == 1)
        let inputs = try #require(timeline?["inputs"]?.list)
        #expect(try inputs.map { try FlowInput(document: $0).title } == ["add"])
        let refused = try await peer.ask(#"{"id":9,"do":"redo"}"#)
        #expect(refused.told.map { $0["type"] } == ["error"])
        #expect(
            refused.reply["error"]?["message"] == "there is nothing to redo: this is the last step")
        await session.close()
    }

    @Test func earlierStepsAreLookedAt() async throws {
        let session = try await open()
        for _ in 1...2 { try await session.send("add") }
        let peer = try await attach()
        let timeline = try await peer.ask(#"{"id":1,"do":"timeline","changes":true}"#)
        #expect(timeline.told == [])
        let step: Value = ["action": "add", "changed": ["n"]]
        #expect(timeline.reply["value"]?["steps"] == [step, step])
        let rendering = try await peer.ask(#"{"id":2,"do":"rendering","step":1}"#)
        #expect(rendering.told == [])
        #expect(rendering.reply["value"]?["n"] == 1)
        let shown = try await peer.ask(#"{"id":3,"do":"rendering"}"#).reply["value"]
        #expect(await shown == session.rendering)
        // The error goes to the requesting client, and is not an event of the session.
        let refused = try await peer.ask(#"{"id":4,"do":"rendering","step":3}"#)
        #expect(refused.told == [])
        #expect(refused.reply["error"]?["message"] == "there is no step 3")
        await session.close()
    }

    @Test func expressionsAndNodesAreGiven() async throws {
        let session = try await open(.cascade)
        try await session.send(["type": "tell", "limit": "none"], to: "tree/branch/leaf")
        let peer = try await attach()
        #expect(
            try await peer.ask(
                #"{"id":1,"do":"eval","expression":"rendering.branch.n + more","where":{"more":7}}"#
            ).reply["value"] == 17)
        #expect(
            try await peer.ask(#"{"id":2,"do":"eval","expression":"nil"}"#).reply["value"] == .null)
        let reply = try await peer.ask(
            #"{"id":5,"do":"eval","expression":"pcall(error, more)","where":{"more":"why"}}"#
        ).reply
        #expect(reply["value"] == false)
        #expect(reply["more"] == ["why"])
        #expect(
            try await peer.ask(#"{"id":6,"do":"eval","expression":"1, nil"}"#).reply["more"] == [
                nil
            ])
        #expect(try await peer.ask(#"{"id":7,"do":"eval","expression":"1"}"#).reply["more"] == nil)
        let failed = try await peer.ask(#"{"id":3,"do":"eval","expression":"1 +"}"#)
        #expect(failed.told == [])
        #expect(failed.reply["error"]?["message"] == "unexpected symbol near <eof>")
        let document = try #require(try await peer.ask(#"{"id":4,"do":"nodes"}"#).reply["value"])
        let own = await session.nodes()
        #expect(own?.children.first?.children.first?.state == ["n": 1])
        #expect(FlowNode(document: document) == own)
        await session.close()
    }

    @Test func callIsInterruptedWhileItIsUnderWay() async throws {
        let flow = """
            return {
                name = "spinner",
                state = { n = 0 },
                apply = {
                    spin = function() print("spinning") while true do end end,
                    add = function(state) state.n = state.n + 1 end,
                },
                render = function(state) return { n = state.n } end,
            }
            """
        var options = FlowOptions()
        options.limits.timeLimit = nil
        let session = try await open(.text(flow), options: options)
        let peer = try await attach()
        // On a separate thread, because the spinning flow may occupy all threads of tasks.
        let other = try SocketPeer(folder.socket) { line in
            line.contains(#""type":"log""#) ? #"{"id":2,"do":"interrupt"}"# : nil
        }
        _ = try await other.next("rendering")
        peer.send(#"{"id":1,"do":"send","action":"spin"}"#)
        let interrupt = try await other.next("reply")
        #expect(interrupt["value"] == true)
        let error = try await peer.next("error")
        #expect(error["code"] == "interrupted")
        #expect(try await peer.next("reply")["ok"] == false)
        #expect(try await peer.ask(#"{"id":3,"do":"send","action":"add"}"#).reply["ok"] == true)
        #expect(try await peer.ask(#"{"id":4,"do":"interrupt"}"#).reply["value"] == false)
        await session.close()
    }

    @Test func manyRequestsAtOnceAreServedInOrder() async throws {
        let session = try await open()
        let peer = try await attach()
        let requests = (1...20_000).map { #"{"id":\#($0),"do":"status"}"# + "\n" }.joined()
        // More requests than the socket and the session buffer: they are read as they are served.
        peer.sendBeside(requests)
        for id in 1...20_000 { #expect(try await peer.next("reply")["id"] == .int(id)) }
        await session.close()
    }

    @Test func quitEndsTheConnectionAndNotTheSession() async throws {
        let session = try await open()
        let peer = try await attach()
        peer.send(#"{"id":1,"do":"quit"}"# + "\n" + #"{"id":2,"do":"send","action":"add"}"#)
        let told = try await peer.rest()
        #expect(told.map { $0["type"] } == ["reply", "done"])
        #expect(told.last?["reason"] == "quit")
        #expect(await session.rendering["n"] == 0)
        try await session.send("add")
        await session.close()
    }

    // MARK: Errors

    @Test func badLinesAreErrorsToTheirClientAlone() async throws {
        var limits = SocketLimits()
        limits.line = 5000
        let session = try await open(limits: limits)
        let peer = try await attach()
        let other = try await attach()
        var messages: [Value] = []
        let lines: [[UInt8]] = [
            Array("{".utf8), Array("{\"do\":\"send\0\"}".utf8), [0, 0, 0], [0xFF, 0xFE],
            Array(repeating: 0x20, count: 5001),
            Array("\"\(String(repeating: "x", count: 9999))\"".utf8),
        ]
        for line in lines {
            peer.send(bytes: line + [0x0A])
            messages.append(try await peer.next("error")["message"] ?? .null)
        }
        #expect(
            messages == [
                "the line is not JSON: line 1, column 2: expected a key in double quotes, found the end of the text",
                "the line is not JSON: line 1, column 12: a control character in a string has to be escaped",
                "the line is not JSON: line 1, column 1: expected a value, found '\\u{0}'",
                "the line is not UTF-8 text", "the line is too long", "the line is too long",
            ])
        // Empty lines are ignored.
        peer.send("\n\n")
        let (told, reply) = try await peer.ask(#"{"id":1,"do":"send","action":"add"}"#)
        #expect(told.map { $0["type"] } == ["action", "rendering"])
        #expect(reply["ok"] == true)
        #expect(try await other.ask(#"{"id":1,"do":"status"}"#).told == told)
        await session.close()
    }

    @Test func theLastLineNeedsNoLineEndAndTheEndOfRequestsEndsTheConnection() async throws {
        let session = try await open()
        let peer = try await attach()
        peer.send(bytes: Array(#"{"id":1,"do":"send","action":"add"}"#.utf8))
        peer.endRequests()
        #expect(
            try await peer.rest().map { $0["type"] } == ["action", "rendering", "reply", "done"])
        let half = try await attach()
        half.send(bytes: Array(#"{"id":1,"do":"send","act"#.utf8))
        half.endRequests()
        let told = try await half.rest()
        #expect(told.map { $0["type"] } == ["error", "done"])
        #expect(told.last?["reason"] == "eof")
        await session.close()
    }

    @Test func clientThatGoesInTheMidstDisturbsNobody() async throws {
        let session = try await open()
        let other = try await attach()
        for _ in 1...20 {
            let peer = try await attach(reads: false)
            peer.send(#"{"id":1,"do":"send","action":"add"}"#)
            peer.send(bytes: Array(#"{"id":2,"do":"send","#.utf8))
            peer.leave()
        }
        // Complete requests are executed.
        var last = Value.null
        while last["rendering"]?["n"] != 20 { last = try await other.next("rendering") }
        #expect(try await other.ask(#"{"id":1,"do":"send","action":"add"}"#).reply["ok"] == true)
        await session.close()
        #expect(try folder.names() == [])
    }

    @Test func errorHasTheSourceAroundItsPlace() async throws {
        let session = try await open()
        let peer = try await attach()
        let (told, reply) = try await peer.ask(#"{"id":1,"do":"send","action":"spoil"}"#)
        let error = try #require(told.last)
        #expect(error["type"] == "error")
        #expect(
            error["excerpt"] == [
                "line": 7,
                "lines": ["        state.n = 100", "        error(\"no luck\")", "    end,"],
            ])
        #expect(reply["error"]?["excerpt"] == error["excerpt"])
        let read = try #require(FlowError(record: error))
        #expect(read.excerpt?.lines.count == 3)
        #expect(read.phase == .apply("spoil"))
        #expect(FlowError(record: ["code": "lua", "message": "no", "node": "//"])?.message == "no")
        await session.close()
    }
}
