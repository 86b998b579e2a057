import FlowProtocol
import Foundation
import HTTPServing
import Logging
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

@testable import FlowService

struct CodePolicyTests {
    @Test(arguments: CodePolicy.allCases)
    func commentsBlanksAndLineEndsAreNotAChange(policy: CodePolicy) async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], policy)
        try deployment.write(
            Deployment.counter(comment: "another").replacing("\n", with: "\r\n\r\n"))
        try deployment.write("return  function(n) --[[more]] return n+1 end", to: "step.lua")
        #expect(try await deployment.count(after: "add", policy) == 3)
        #expect(try await deployment.count(policy) == 3)
        #expect(deployment.messages.texts == [])
    }

    @Test func withOtherFilesASessionShowsAnotherScreenBeforeAndAfterItGoesOn() async throws {
        let deployment = try Deployment()
        let ada = Principal("ada")
        try await deployment.play([], .migrate)
        var tags: [String] = []
        for version in 1...3 {
            try deployment.write(Deployment.counter(by: "\(version)", version: version))
            let sessions = try deployment.start(.migrate)
            for _ in 0..<2 {
                tags.append(try #require(await sessions.document(of: "a", for: ada)["tag"]?.string))
            }
            if version == 3 {
                let moment = try await sessions.pool.resume("a") { session in
                    try await session.send(["type": "add"])
                    return try await session.undo()
                }
                tags += [moment.tag, moment.tag]
            }
            await sessions.close()
        }
        // Each twice: reading alone changes none.
        #expect(Set(tags).count == 4)
        for index in stride(from: 0, to: tags.count, by: 2) {
            #expect(tags[index] == tags[index + 1])
        }
        #expect(tags[0] == "0.1")
        #expect(tags.last?.wholeMatch(of: /0\.\d+/) != nil)
    }

    @Test func aPinnedSessionIsPlayedToItsEndWithTheFilesThatItBeganWith() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add"], .pinned)
        try deployment.write("return function(n) return n + 10 end", to: "step.lua")
        try deployment.write(Deployment.counter(by: "1000"))
        #expect(try await deployment.count(after: "add", .pinned) == 2)
        // A module that the flow requires for the first time.
        #expect(try await deployment.count(after: "late", .pinned) == 102)
        try deployment.write("return function(n) return n + 500 end", to: "late.lua")
        #expect(try await deployment.count(after: "late", .pinned) == 202)
        let sessions = try deployment.start(.pinned)
        try await sessions.pool.create("b", try #require(sessions.flows["counter"]).opening)
        let moment = try await sessions.pool.resume("b") { session in
            try await session.send(["type": "add"])
        }
        #expect(moment.rendering == ["count": 10_000])
        await sessions.close()
    }

    @Test func aSessionWhoseFlowCannotBeAskedIsDeletedForThoseWhoMaySeeAll() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add"], .migrate)
        try deployment.write(Deployment.counter(by: "10"))
        let sessions = try deployment.start(.migrate)
        let problem = await #expect(throws: Problem.self) {
            try await sessions.delete("a", for: Principal("ada", scopes: [.delete]))
        }
        #expect(problem?.code == "snapshot")
        let eve = Principal("eve", scopes: [.delete, .inspect])
        try await sessions.delete("a", for: eve)
        let gone = await #expect(throws: Problem.self) { try await sessions.delete("a", for: eve) }
        #expect(gone?.status == .notFound)
        await sessions.close()
    }

    @Test func aSessionThatDoesNotFitThePresentFilesIsRefusedAndKeptWhole() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .migrate)
        try deployment.write(Deployment.counter(by: "10"))
        let sessions = try deployment.start(.migrate)
        let ada = Principal("ada", scopes: [.read])
        let problem = await #expect(throws: Problem.self) {
            try await sessions.document(of: "a", for: ada)
        }
        #expect(problem?.status == .conflict)
        #expect(problem?.code == "snapshot")
        await sessions.close()
        try deployment.write(Deployment.counter(by: "10", version: 2))
        #expect(try await deployment.count(after: "add", .migrate) == 30)
        #expect(try await deployment.store.summary(of: "a").stepCount == 3)
    }

    /// The counter's second version: its numbers are 1,000 times as large, its steps 10 times.
    private static let second = """
        return {
            name = "counter", version = 2, state = { count = 0 },
            migrate = function(old) return { count = old.count * 1000 } end,
            apply = { add = function(state) state.count = state.count + 10 return state.count end },
            render = function(state) return { count = state.count } end,
        }
        """

    @Test(arguments: [true, false])
    func aSessionThatWasMigratedDoesNotGoBackToStepsOfBefore(isClosed: Bool) async throws {
        let deployment = try Deployment()
        let ada = Principal("ada", scopes: [.read])
        let key = RequestKey("k", digest: 1)
        let first = try deployment.start(.migrate)
        try await first.pool.create("a", try #require(first.flows["counter"]).opening)
        try await first.pool.resume("a") { session in
            try await session.send(["type": "add"], key: key)
            try await session.send(["type": "add"])
        }
        // Without the snapshot of its end, only the inputs remain.
        if isClosed { await first.close() }
        try deployment.write(Self.second)
        for added in [0, 1, 2] {
            let sessions = try deployment.start(.migrate)
            let count = 2000 + 10 * added
            let shown = try await sessions.document(of: "a", for: ada)
            #expect(shown["rendering"] == ["count": .int(count)])
            #expect(shown["step"] == .int(2 + added))
            try await sessions.pool.resume("a") { session in
                for step in [0, 1] {
                    await #expect(throws: StoreError.self) { try await session.moment(at: step) }
                    await #expect(throws: StoreError.self) { try await session.go(to: step) }
                }
                #expect(try await session.moment(at: 2).rendering == ["count": 2000])
                let repeated = await #expect(throws: StoreError.self) {
                    try await session.send(["type": "add"], key: key)
                }
                #expect(
                    repeated?.message.hasPrefix("the request was done and led to step 1") == true)
                try await session.go(to: 2)
                #expect(await session.rendering == ["count": 2000])
                try await session.go(to: 2 + added)
                let moment = try await session.send(["type": "add"])
                #expect(moment.outputs == [.int(count + 10)])
            }
            let recording = try await sessions.recording(of: "a", for: ada)
            #expect(
                !recording.contains("\"rendering\":{\"count\":2}")
                    && recording.contains("\"count\":2000"))
            if added != 1 { await sessions.close() }
        }
    }

    private static func fragile(version: Int, adds: String = "add") -> String {
        """
        return {
            name = "counter", version = \(version),
            state = { count = 0 }, migrate = function(old) return old end,
            apply = {
                \(adds) = function(state) state.count = state.count + \(version) end,
                spoil = function(state) state.bad = true return "spoilt" end,
                mend = function(state) state.bad = nil end,
            },
            render = function(state)
                if state.bad then error("cannot be shown") end
                return { count = state.count }
            end,
        }
        """
    }

    @Test(arguments: [true, false])
    func anUnrenderedSessionIsMendedAfterADeploymentOrACrash(beforeDeployment: Bool) async throws {
        let deployment = try Deployment(Self.fragile(version: 1))
        let first = try deployment.start(.migrate)
        try await first.pool.create("a", try #require(first.flows["counter"]).opening)
        try await first.pool.resume("a") { session in
            try await session.send(["type": "add"])
            if beforeDeployment {
                await #expect(throws: FlowError.self) { try await session.send(["type": "spoil"]) }
            }
        }
        try deployment.write(Self.fragile(version: 10))
        // No session is closed, as after a crash.
        for round in 0..<2 {
            let sessions = try deployment.start(.migrate)
            try await sessions.pool.resume("a") { session in
                #expect(await session.stepCount == (beforeDeployment || round > 0 ? 2 : 1))
                if round == 0, !beforeDeployment {
                    await #expect(throws: FlowError.self) {
                        try await session.send(["type": "spoil"])
                    }
                }
            }
        }
        let last = try deployment.start(.migrate)
        try await last.pool.resume("a") { session in
            try await session.send(["type": "mend"])
            #expect(await session.rendering == ["count": 1])
            try await session.send(["type": "add"])
            #expect(await session.rendering == ["count": 11])
            #expect(await session.stepCount == 4)
        }
        #expect(try await deployment.store.check().isEmpty)
        #expect(try await deployment.count(.migrate) == 11)
    }

    @Test func anActionThatIsKeptAndCannotBeRenderedIsAnsweredWithItsSession() async throws {
        let deployment = try Deployment(Self.fragile(version: 1))
        let sessions = try deployment.start(.migrate)
        try await sessions.pool.create("a", try #require(sessions.flows["counter"]).opening)
        let circumstances = ServedSessions.Circumstances(
            principal: Principal("ada", scopes: [.act]), key: RequestKey("k", digest: 1))
        let spoil = try FlowCall("send", ["action": "spoil"])
        for _ in 0..<2 {
            let problem = await #expect(throws: Problem.self) {
                try await sessions.take(spoil, in: "a", circumstances)
            }
            #expect(problem?.status == .conflict)
            #expect(problem?.code == "lua")
            #expect(
                problem?.members["session"] == [
                    "id": "a", "step": 1, "of": 1, "tag": "1.2", "rendering": ["count": 0],
                    "actions": ["add", "mend", "spoil"], "outputs": ["spoilt"],
                ])
        }
        let refused = await #expect(throws: Problem.self) {
            try await sessions.take(
                FlowCall("send", ["action": "none"]), in: "a",
                .init(principal: Principal("ada", scopes: [.act])))
        }
        #expect(refused?.members["session"] == nil)
        await sessions.close()
    }

    @Test func undoneStepsThatOtherFilesDoNotTakeAreGivenUp() async throws {
        let deployment = try Deployment(Self.fragile(version: 1))
        let first = try deployment.start(.migrate)
        try await first.pool.create("a", try #require(first.flows["counter"]).opening)
        try await first.pool.resume("a") { session in
            for _ in 0..<3 { try await session.send(["type": "add"]) }
            try await session.undo()
        }
        await first.close()
        try deployment.write(Self.fragile(version: 10, adds: "plus"))
        let sessions = try deployment.start(.migrate)
        try await sessions.pool.resume("a") { session in
            #expect(await session.rendering == ["count": 2])
            #expect(await session.step == 2)
            await #expect(throws: StoreError.self) { try await session.redo() }
            try await session.send(["type": "plus"])
            #expect(await session.rendering == ["count": 12])
            #expect(await session.stepCount == 3)
        }
        await sessions.close()
        #expect(try await deployment.store.check().isEmpty)
        #expect(try await deployment.count(.migrate) == 12)
    }

    @Test func aPinnedSessionKeepsAModuleThatWasRequiredOnce() async throws {
        let deployment = try Deployment()
        try await deployment.play(["late", "add"], .pinned)
        #expect(try await deployment.count(after: "add", .pinned) == 102)
        try deployment.write("return function(n) return n + 500 end", to: "late.lua")
        #expect(try await deployment.count(after: "late", .pinned) == 202)
        try FileManager.default.removeItem(atPath: deployment.folder.path("late.lua"))
        for count in 203...204 {
            #expect(try await deployment.count(after: "add", .pinned) == count)
        }
        #expect(try await deployment.count(after: "late", .pinned) == 304)
    }

    @Test func whatAnotherServiceDoesIsSeen() async throws {
        let deployment = try Deployment()
        let ada = Principal("ada", scopes: [.read])
        let key = RequestKey("k", digest: 1)
        try await deployment.play(["add"], .migrate)
        let services = [try deployment.start(.migrate), try deployment.start(.migrate)]
        for service in services { _ = try await service.document(of: "a", for: ada) }
        let here = try await services[0].pool.resume("a") { session in
            try await session.send(["type": "add"])
            return try await session.send(["type": "late"], key: key)
        }
        #expect(try await services[1].document(of: "a", for: ada)["rendering"] == here.rendering)
        try await services[0].pool.resume("a") { _ = try await $0.send(["type": "add"]) }
        let there = try await services[1].pool.resume("a") { session in
            try await session.send(["type": "late"], key: key)
        }
        #expect((there.step, there.rendering) == (here.step, here.rendering))
        let last = try await services[0].pool.resume("a") { try await $0.send(["type": "add"]) }
        let undone = try await services[1].pool.resume("a") { session in
            try await session.undo(expecting: [last.tag])
        }
        #expect(undone.step == 4)
        for service in services { await service.close() }
    }

    @Test func aSessionGoesOnWithThePresentFilesIfTheyGiveTheSame() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .replay)
        let code = try await deployment.store.summary(of: "a").code
        // The same up to 3.
        try deployment.write("return function(n) return n < 3 and n + 1 or 50 end", to: "step.lua")
        #expect(try await deployment.count(after: "add", .replay) == 3)
        #expect(try await deployment.count(after: "add", .replay) == 50)
        #expect(try await deployment.store.summary(of: "a").code != code)
        #expect(deployment.messages.texts == [])
        // The earlier steps still exist, and so does the recording.
        let sessions = try deployment.start(.replay)
        let ada = Principal("ada", scopes: [.read])
        #expect(try await sessions.moment(of: "a", at: 1, for: ada).rendering == ["count": 1])
        #expect(try await sessions.recording(of: "a", for: ada).contains("\"count\":50"))
        await sessions.close()
    }

    @Test func aSessionThatWouldRenderOtherwiseKeepsItsFilesAndTheLogSaysSo() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .replay)
        try deployment.write("return function(n) return n * 2 + 1 end", to: "step.lua")
        let sessions = try deployment.start(.replay)
        for count in 3...4 {
            let moment = try await sessions.pool.resume("a") { session in
                try await session.send(["type": "add"])
            }
            #expect(moment.rendering == ["count": .int(count)])
            await sessions.pool.close("a")
        }
        await sessions.close()
        // Once for both times it was opened.
        #expect(
            deployment.messages.texts == [
                "a session goes on with the files that it has: step 2 differs"
            ])
    }

    @Test func aNameThatIsNotOfAFlowIsRefused() throws {
        let deployment = try Deployment()
        let error = #expect(throws: FlowError.self) {
            try FlowTable(deployment.flows, code: ["clock": .pinned])
        }
        #expect(error?.message == "there is no flow 'clock' whose files are to be chosen")
        #expect(error?.help == "there are counter")
    }
}
