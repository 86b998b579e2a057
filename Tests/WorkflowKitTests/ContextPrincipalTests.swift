import FlowProtocol
@testable import FlowTesting
import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

struct ContextPrincipalTests {
    private static let source = FlowSource.text(
        """
        local Desk = {
            state = function(props, context) return { opened_by = context.principal or "nobody" } end,
            render = function(state) return { opened_by = state.opened_by } end,
        }
        local Office = {}
        function Office.state(props, context)
            return { owner = context.principal or "nobody", seen = {}, desks = 0 }
        end
        Office.apply = {
            sign = function(state, action, context)
                table.insert(state.seen, context.principal or "nobody")
            end,
            open = function(state) state.desks = state.desks + 1 end,
            refuse = function(state, action, context) error("not for " .. context.principal) end,
        }
        function Office.render(state, context)
            local desks = {}
            for number = 1, state.desks do desks[number] = context:render(Desk, {}, { key = number }) end
            return {
                owner = state.owner, seen = state.seen, desks = desks,
                isTold = pcall(function() return context.principal end),
            }
        end
        return Office
        """, name: "office.lua")

    private static func played(
        _ change: (inout FlowOptions) throws -> Void = { _ in }
    ) async throws -> FlowSession {
        var options = FlowOptions(limits: .unhurried)
        options.principal = "ann"
        try change(&options)
        let session = try await FlowSession.open(source, options: options)
        try await session.send("sign", by: "bob")
        try await session.send("open", by: "cleo")
        try await session.send("sign")
        try await session.send("open")
        return session
    }

    private static let shown: Value = [
        "owner": "ann", "seen": ["bob", "nobody"],
        "desks": [["opened_by": "cleo"], ["opened_by": "nobody"]], "isTold": false,
    ]

    @Test func applyAndStateGetTheNameAndRenderDoesNot() async throws {
        let session = try await Self.played()
        #expect(await session.rendering == Self.shown)
        let error = await #expect(throws: FlowError.self) {
            try await session.send("refuse", by: "bob")
        }
        #expect(error?.message == "not for bob")
        try await session.send("sign")
        #expect(await session.rendering["seen"]?.list?.last == "nobody")
        await session.close()
    }

    @Test func aProcessOfItsOwnSeesTheSame() async throws {
        let session = try await Self.played { $0.isolation = .process }
        #expect(await session.rendering == Self.shown)
        await session.close()
    }

    @Test func thePastIsPlayedAgainForTheSameNamesAndNotInTheNameOfWhoLooks() async throws {
        let session = try await Self.played()
        #expect(try await session.rendering(at: 4) == Self.shown)
        #expect(try await session.rendering(at: 1)["seen"] == ["bob"])
        #expect(try await session.steps().count == 4)
        try await session.go(to: 0)
        #expect(await session.rendering["owner"] == "ann")
        try await session.go(to: 3)
        #expect(await session.rendering["desks"] == [["opened_by": "cleo"]])
        try await session.go(to: 4)
        try await session.reload(.replayingInputs)
        #expect(await session.rendering == Self.shown)
        try await session.go(to: 2)
        try await session.send("sign", by: "dora")
        #expect(await session.rendering["seen"] == ["bob", "dora"])
        await session.close()
    }

    @Test func aRecordingKeepsTheCreatorAndTheSendersAndIsReplayedForThem() async throws {
        let folder = try Folder()
        let path = folder.path("office.jsonl")
        let session = try await Self.played { $0.journal = try FlowJournal(path: path) }
        let text = try await session.recordingText()
        await session.close()
        for recording in [try FlowRecording(path: path), try FlowRecording(parsing: text)] {
            #expect(recording.header.principal == "ann")
            let replayed = try await recording.makeSession(of: Self.source)
            #expect(try await recording.replay(in: replayed).isEmpty)
            #expect(await replayed.rendering == Self.shown)
            await replayed.close()
        }
    }

    @Test func aSnapshotKeepsTheCreatorWhoeverRestoresIt() async throws {
        let first = try await Self.played()
        let snapshot = try await first.snapshot()
        #expect(snapshot.principal == "ann")
        try await first.send("sign", by: "dora")
        let (inputs, rendering) = (await first.inputs, await first.rendering)
        await first.close()
        var options = FlowOptions(limits: .unhurried)
        options.principal = "eve"
        let kept = try FlowSnapshot(json: snapshot.json.utf8)
        let second = try await FlowSession.open(
            Self.source, options: options, restoring: kept, replaying: [inputs[4]])
        #expect(await second.rendering == rendering)
        #expect(try await second.snapshot().principal == "ann")
        await second.close()
    }

    @Test func aSessionWithoutACreatorHasNothingNewInItsLog() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(Self.source, onEvent: recorder.note)
        #expect(await session.rendering["owner"] == "nobody")
        #expect(recorder.all.first?.record["by"] == nil)
        #expect(try await session.snapshot().document["by"] == nil)
        await session.close()
    }
}

struct PrincipalValueTests {
    @Test func accessGetsOneShapeFromHostsAndTests() throws {
        let eve = Principal("eve", claims: ["role": "editor"], scopes: ["read"])
        #expect(eve.value == ["name": "eve", "claims": ["role": "editor"], "scopes": ["read"]])
        #expect(try Principal(eve.value) == eve)
        #expect(try Principal(["name": "ann", "claims": []]) == Principal("ann"))
    }

    @Test(
        arguments: [
            "ann", [:], ["name": 1], ["name": "ann", "role": "editor"],
            ["name": "ann", "claims": "editor"], ["name": "ann", "scopes": [1]],
        ] as [Value])
    func whatHasAnotherShapeIsRefused(value: Value) {
        let error = #expect(throws: FlowError.self) { try Principal(value) }
        #expect(error?.message == "a principal has a name, and may have claims and scopes")
    }
}
