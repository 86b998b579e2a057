import Workflow
@testable import FlowProtocol
import Foundation
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowLua

@testable import WorkflowKit

@Suite struct SecretTextsTests {
    private func secrets(_ known: Value...) -> SecretTexts {
        let secrets = SecretTexts(["password"])
        for value in known { secrets.add(from: ["password": value]) }
        return secrets
    }

    @Test func aSecretIsFoundInTextsInNamesAndAsANumber() {
        let secrets = secrets("sesame", ["pin": 4711, "rate": 12.25], ["deep", ["open it"]])
        #expect(secrets.masked("open sesame, sesamesesame!") == "open [secret], [secret]!")
        let value: Value = [
            "sesame": "it is 4711", "same": 4711, "x4711": ["open it", 47, 12.25],
            "password": ["any"],
        ]
        #expect(
            secrets.hiding(value) == [
                "[secret 1]": "it is [secret]", "same": "[secret]",
                "x[secret 2]": ["[secret]", 47, "[secret]"], "password": "[secret]",
            ])
        #expect(SecretTexts.none.hiding(["password": "sesame"]) == ["password": "sesame"])
    }

    @Test func ofTwoSecretsTheLongerOneIsHidden() {
        #expect(secrets("abcd", "abcdefgh").masked("abcdefgh abcde") == "[secret] [secret]e")
        #expect(secrets("abcdefgh", "abcd").masked("abcdefgh abcde") == "[secret] [secret]e")
    }

    @Test func aShortTextIsNotHidden() {
        #expect(secrets("abc", "no").masked("abc, no") == "abc, no")
    }

    @Test func aPartOfALongSecretIsHidden() {
        let long = String(repeating: "ä€😀", count: 40)
        #expect(secrets(.string(long)).masked("so: \(long).") == "so: [secret].")
        let part = secrets(.string(long)).masked(String(long.prefix(50)))
        #expect(part.hasPrefix("[secret]") && part.count < 8 + 12)
    }

    @Test(arguments: SeededNumbers.seeds(1...40)) func nothingKnownIsLeftInAnyText(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        func text(_ lengths: ClosedRange<Int>) -> String {
            let letters = ["a", "b", "ä", "€", "[", "]", "😀", "1"]
            return (0..<Int.random(in: lengths, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
        }
        let known = (0..<5).map { _ in text(4...40) }
        let secrets = secrets(.list(Value.List(known.map { .string($0) })))
        for _ in 0..<50 {
            let whole = (0..<6).map { _ in
                Bool.random(using: &random)
                    ? text(0...6) : known.randomElement(using: &random) ?? ""
            }.joined()
            let shown = secrets.masked(whole)
            for secret in known { #expect(!shown.contains(secret), "\(whole)") }
            #expect(secrets.unnamed(secrets.named(whole)) == whole)
        }
    }

    @Test func whatIsTooMuchToBeKnownCostsNoMemory() {
        let secrets = SecretTexts(["password"])
        for number in 0..<150_000 { secrets.add(from: ["password": .int(1_000_000 + number)]) }
        #expect(secrets.masked("1000000 1149999") == "[secret] 1149999")
    }

    /// Shows its secret in every possible place.
    private static let telltale = FlowSource.text(
        """
        local Row = { name = "row", apply = { poke = function() error("no") end } }
        function Row.render(state, context) return { poke = context:sink("poke") } end

        local Flow = { name = "flow", state = { password = "", pin = 0 } }
        Flow.apply = {
            enter = function(state, action)
                print("given " .. action.password)
                state.password, state.pin = action.password, action.pin
                return { type = "as " .. action.password, [action.password] = action.pin }
            end,
            fail = function(state) error("not " .. state.password) end,
        }
        function Flow.render(state, context)
            local rendering = { number = state.pin, text = "it is " .. state.password }
            if state.password ~= "" then
                rendering[state.password] = { [state.password .. "!"] = 1 }
                rendering.row = context:render(Row, { is = state.password }, { key = state.password })
                rendering.sink = context:sink("enter", { password = state.password, pin = state.pin })
            end
            return rendering
        end
        return Flow
        """, name: "flow.lua")
    private static let words = ["sword-fish", "90125"]

    private final class Answers: Sendable {
        private let records = Mutex<[Value]>([])

        var all: [Value] { records.withLock { $0 } }

        func add(_ kind: FlowEvent.Kind) {
            let record = FlowEvent(sequence: 1, milliseconds: 0, kind: kind).record
            records.withLock { $0.append(record) }
        }
    }

    private func session(_ options: FlowOptions) async throws -> FlowSession {
        let session = try await FlowSession.open(Self.telltale, options: options)
        try await session.send(["type": "enter", "password": "sword-fish", "pin": 90_125])
        await #expect(throws: FlowError.self) { try await session.send(["type": "fail"]) }
        await #expect(throws: FlowError.self) {
            try await session.send(["type": "poke"], to: "flow/row:sword-fish")
        }
        await #expect(throws: FlowError.self) {
            try await session.send(["type": "sword-fish"], to: "flow/row:sword-fish")
        }
        return session
    }

    @Test func aRecordingHasItNowhere() async throws {
        let folder = try Folder()
        var options = FlowOptions()
        options.journal = try FlowJournal(
            path: folder.path("s.jsonl"), secrets: ["password", "pin"])
        let session = try await session(options)
        await session.close()
        let text = try String(contentsOfFile: folder.path("s.jsonl"), encoding: .utf8)
        for word in Self.words { #expect(!text.contains(word)) }
        #expect(text.contains("it is [secret]") && text.contains("flow/row:[secret "))
        #expect(try FlowRecording(path: folder.path("s.jsonl")).steps.count == 4)
    }

    @Test func whatIsHiddenInARecordingDoesNotDiffer() async throws {
        let folder = try Folder()
        let flow = { (title: String) in
            FlowSource.text(
                """
                local Flow = { name = "flow", state = { pins = { 1234 }, pin = 4321 } }
                Flow.apply = {
                    enter = function(state, action)
                        state.pins[1] = action.pin
                        return { pin = action.pin }
                    end,
                }
                function Flow.render(state) return { all = { { pin = state.pin } }, title = "\(title)" } end
                return Flow
                """)
        }
        var options = FlowOptions()
        options.journal = try FlowJournal(path: folder.path("s.jsonl"), secrets: ["pin"])
        let session = try await FlowSession.open(flow("one"), options: options)
        try await session.send(["type": "enter", "pin": 90_125])
        await session.close()
        let recording = try FlowRecording(path: folder.path("s.jsonl"))
        let same = try await recording.makeSession(of: flow("one"))
        #expect(try await recording.replay(in: same).isEmpty)
        let other = try await recording.makeSession(of: flow("two"))
        let first = try #require(try await recording.replay(in: other).first)
        guard case .rendering(let recorded, let now) = first.content else {
            Issue.record("\(first)")
            return
        }
        #expect(recorded.differences(to: now).count == 1)
    }

    @Test func aClientThatSeesNoSecretsFindsItsWay() async throws {
        var options = FlowOptions()
        options.secrets = ["password", "pin"]
        let session = try await session(options)
        let client = ProtocolClient()
        let answers = Answers()
        func ask(_ request: Value) async throws -> Value {
            var request = request
            request["id"] = 1
            _ = await session.serve(request.json, of: client) { kind in answers.add(kind) }
            return try #require(answers.all.last)
        }
        _ = try await ask(["do": "narrow", "to": ["view", "act", "travel", "evaluate"]])
        _ = try await ask(["do": "follow"])
        let rows = try await ask(["do": "tree"])["value"]?["tree"]
        let path = try #require(
            rows?["children"]?[0]?["path"] ?? rows?["entries"]?[0]?["path"], "\(rows ?? [])")
        #expect(path.string?.hasPrefix("flow/row:[secret ") == true)
        let node = try await ask(["do": "node", "path": path])
        #expect(node["ok"] == true, "\(node)")
        let requests: [Value] = [
            ["do": "value"], ["do": "value", "of": "state"], ["do": "value", "path": "text"],
            ["do": "value", "of": "input", "step": 1], ["do": "diff", "from": 0, "to": 1],
            ["do": "inputs"], ["do": "forms"], ["do": "journal"], ["do": "recording"],
            ["do": "test"], ["do": "nodes"], ["do": "rendering"], ["do": "snapshot"],
            ["do": "timeline", "changes": true], ["do": "why", "path": "text"],
            ["do": "why", "path": "number"], ["do": "why", "node": path],
            ["do": "eval", "expression": "rendering"],
            ["do": "eval", "expression": "error(rendering.text)"],
            ["do": "send", "action": "fail"], ["do": "send", "action": "poke", "node": path],
            ["do": "send", "action": "none", "node": path],
            ["do": "value", "of": "props", "node": path],
        ]
        for request in requests {
            let count = answers.all.count
            _ = try await ask(request)
            let told = answers.all[count...].map(\.json).joined()
            for word in Self.words { #expect(!told.contains(word), "\(request) \(told)") }
        }
        await session.tellNews(to: try #require(client.follower))
        let told = answers.all.map(\.json).joined()
        for word in Self.words { #expect(!told.contains(word)) }
        #expect(told.contains("given [secret"))
    }

    @Test func aTestOfTheSessionDoesNotTellIt() async throws {
        var options = FlowOptions()
        options.secrets = ["password", "pin"]
        let session = try await session(options)
        let text = try await session.hiddenTestText()
        for word in Self.words { #expect(!text.contains(word), "\(text)") }
    }
}

extension FlowSession {
    fileprivate func hiddenTestText() throws -> String { try testText(hiding: secrets) }
}
