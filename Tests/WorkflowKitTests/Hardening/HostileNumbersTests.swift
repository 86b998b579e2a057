import ClockPlugin
import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestFlows
import TestSupport
import Testing
import Workflow
import WorkflowLua
import WorkflowPlugins

@testable import FlowOrigins
@testable import FlowProtocol
@testable import WorkflowKit

/// Each number of a recording, a snapshot or a request is replaced by the least, the greatest,
/// fractions and other values: it is read, or refused with its place, and nothing overflows.
@Suite(.timeLimit(.minutes(15))) struct HostileNumbersTests {
    private static let flow = FlowSource.text(
        """
        local Flow = { name = "flow", version = 2, state = { n = 0 } }
        Flow.migrate = function(state, version) return state end
        Flow.apply = {
            add = function(state, action) state.n = 1 end,
            tell = function(state) return "told" end,
            tick = function(state) state.n = 2 end,
            spoil = function(state) error("no luck") end,
        }
        function Flow.render(state, context)
            context:run("clock.every", { seconds = 3600 }, { on_output = "tick" })
            context:run("clock.after", { seconds = 3600 }, { on_output = "tick", key = "one" })
            return { add = context:sink("add"), tells = state.n == 2 }
        end
        return Flow
        """, name: "flow.lua")

    private static func options(runningWorkers runs: Bool = false) throws -> FlowOptions {
        var options = FlowOptions(limits: .unhurried, now: { 1_600_000_000_000 })
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.runsWorkers = runs
        return options
    }

    private static func played(
        _ options: FlowOptions, from snapshot: FlowSnapshot? = nil
    ) async throws -> (records: [Value], snapshot: Value) {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(
            flow, options: options, restoring: snapshot, onEvent: recorder.note)
        try await session.send("add")
        try await session.send("tell")
        await #expect(throws: FlowError.self) { try await session.send("spoil") }
        let tick = WorkerNews(
            node: "flow", worker: "clock.every", key: "", event: .output(["tick": 1]))
        try await session.play(.worker(tick))
        try await session.update(props: ["title": "new"])
        try await session.reload()
        try await session.undo()
        try await session.go(to: 1)
        try await session.redo()
        try await session.branch()
        try await session.send("add")
        let document = try await session.snapshot().document
        await session.close()
        return (recorder.all.map(\.record), document)
    }

    private static func text(_ records: [Value], sealed: Bool) -> String {
        sealed
            ? records.map { String(decoding: TextSum.line(of: $0), as: UTF8.self) }.joined()
            : records.map { $0.json + "\n" }.joined()
    }

    /// The recording that ended the program by an overflow.
    @Test func theGreatestSequenceNumberIsRefused() throws {
        let ready = #"""
            {"at":"2026-11-25T00:00:00.000Z","flow":"a","hash":"0","seed":"0","type":"ready","v":1,\#
            "seq":9223372036854775807}
            """#
        let rendering =
            #"{"at":"2026-11-25T00:00:00.000Z","rendering":{},"seq":3,"type":"rendering","v":1}"#
        let error = #expect(throws: FlowError.self) {
            try FlowRecording(parsing: "\(ready)\n\(rendering)\n", name: "a.jsonl")
        }
        #expect(error?.location == .init(file: "a.jsonl", line: 1))
        #expect(
            error?.message
                == "\"seq\" must be a whole number from 0 to 2^53, not 9223372036854775807")
        #expect(error?.help == "it was damaged or changed by hand: go back to a copy of it")
    }

    @Test(arguments: [false, true])
    func recordingsArePlayedOrRefusedWithTheLine(_ continuesASnapshot: Bool) async throws {
        var snapshot: FlowSnapshot?
        if continuesASnapshot {
            snapshot = try FlowSnapshot(document: await Self.played(Self.options()).snapshot)
        }
        var records = try await Self.played(Self.options(), from: snapshot).records
        // As a client's that came at step 3: later steps have greater numbers.
        if continuesASnapshot {
            records[0]["step"] = 3
            for index in records.indices where records[index]["type"] == "moved" {
                records[index]["step"] = .int((records[index]["step"]?.int ?? 0) + 3)
            }
        }
        var (read, refused) = (0, 0)
        let cases = CaseFile("recordings")
        func play(_ records: [Value], sealed: Bool, _ what: String) async throws {
            cases.begin(what)
            let recording: FlowRecording
            do throws(FlowError) {
                recording = try FlowRecording(
                    parsing: Self.text(records, sealed: sealed), name: "r.jsonl")
            } catch {
                refused += 1
                #expect(error.code == .recording && !error.message.isEmpty, "\(what): \(error)")
                #expect(error.location?.file == "r.jsonl", "\(what): \(error)")
                if error.message.contains("2^53") { #expect(error.help != nil, "\(what)") }
                return
            }
            read += 1
            do {
                let session = try await recording.makeSession(
                    of: Self.flow, options: Self.options())
                _ = try await recording.replay(in: session)
                _ = await session.inputs.map(\.document.json)
                try await session.send("add")
                await session.close()
            } catch let error as FlowError {
                #expect([.snapshot, .recording, .misuse].contains(error.code), "\(what): \(error)")
            }
        }
        // Records of one type are read alike.
        var types: Set<String?> = []
        for (index, record) in records.enumerated()
        where types.insert(record["type"]?.string).inserted {
            for (what, changed) in NumberCases.changed(record) {
                var all = records
                all[index] = changed
                try await play(all, sealed: index % 2 == 0, "line \(index + 1): \(what)")
            }
        }
        var numbers = SeededNumbers.printed()
        for round in 0..<200 {
            let all = records.map { NumberCases.shuffled($0, by: &numbers) }
            let what = all.map(\.what).joined(separator: "; ")
            try await play(all.map(\.document), sealed: round % 2 == 0, what)
        }
        cases.end()
        #expect(read > 200 && refused > 200, "\(read) \(refused)")
    }

    @Test func snapshotsGoOnOrAreRefused() async throws {
        var document = try await Self.played(Self.options(runningWorkers: true)).snapshot
        // As one that was resumed before.
        for worker in 1...2 {
            let path = try ValuePath(parsing: "nodes[1].workers[\(worker)].attempt")
            document[path] = 7
        }
        var (read, refused) = (0, 0)
        let options = try Self.options(runningWorkers: true)
        let cases = CaseFile("snapshots")
        func restore(_ document: Value, _ what: String) async throws {
            cases.begin(what)
            var snapshot: FlowSnapshot
            do throws(FlowError) {
                snapshot = try FlowSnapshot(json: document.json.utf8)
            } catch {
                refused += 1
                #expect(error.code == .snapshot && !error.message.isEmpty, "\(what): \(error)")
                return
            }
            read += 1
            snapshot.isLenient = true
            do throws(FlowError) {
                let session = try await FlowSession.open(
                    Self.flow, options: options, restoring: snapshot)
                try await session.send("add")
                // What goes on from it can be kept and read again.
                let again = try await session.snapshot().json
                _ = try FlowSnapshot(json: again.utf8)
                await session.close()
            } catch { #expect(error.code == .snapshot, "\(what): \(error)") }
        }
        for (what, changed) in NumberCases.changed(document) { try await restore(changed, what) }
        var numbers = SeededNumbers.printed()
        for _ in 0..<200 {
            let (what, changed) = NumberCases.shuffled(document, by: &numbers)
            try await restore(changed, what)
        }
        cases.end()
        #expect(read > 50 && refused > 50, "\(read) \(refused)")
    }

    private static let requests: [Value] = [
        ["do": "value", "step": 1, "from": 0, "limit": 10, "depth": 2, "path": "rows[1]"],
        ["do": "value", "of": "input", "step": 1], ["do": "value", "of": "state", "step": 1],
        ["do": "tree", "step": 1, "from": 0, "limit": 10, "depth": 2],
        ["do": "node", "path": "flow", "step": 1, "from": 0, "limit": 10, "depth": 2],
        ["do": "diff", "from": 0, "to": 1, "limit": 10],
        ["do": "inputs", "from": 1, "limit": 10, "most": 10],
        ["do": "overview", "buckets": 5, "from": 1, "to": 2],
        ["do": "messages", "from": 1, "limit": 10],
        ["do": "states", "by": "state.n", "from": 0, "most": 10],
        ["do": "tree", "match": "flow", "step": 1, "limit": 10],
        ["do": "find", "expression": "false", "from": 0, "most": 10],
        ["do": "journal", "from": 0, "to": 1], ["do": "rendering", "step": 1],
        ["do": "why", "path": "tells", "step": 1], ["do": "why", "node": "flow", "step": 1],
        ["do": "log", "points": [["at": "flow.lua:4: {action}"]], "first": 0, "last": 2],
        ["do": "send", "at": "add", "step": 2, "with": ["by": 1]],
        ["do": "send", "action": ["type": "add", "by": 1]], ["do": "goto", "step": 1],
        ["do": "props", "props": ["n": 1]], ["do": "fork", "step": 1],
        ["do": "unfork", "session": 1],
        ["do": "worker", "node": "flow", "worker": "clock.every", "output": ["tick": 1]],
        ["do": "eval", "expression": "n", "where": ["n": 1]], ["do": "reload", "compare": true],
    ]

    @Test func requestsAreAnswered() async throws {
        let session = try await FlowSession.open(Self.flow, options: Self.options())
        for _ in 0..<3 { try await session.send("add") }
        let answers = Mutex<[FlowEvent.Kind]>([])
        let client = ProtocolClient()
        let cases = CaseFile("requests")
        func ask(_ request: Value) async -> Value? {
            answers.withLock { $0 = [] }
            _ = await session.serve(request.json, of: client) { kind in
                answers.withLock { $0.append(kind) }
            }
            let reply = answers.withLock { $0 }.map { kind in
                FlowEvent(sequence: 1, milliseconds: 0, kind: kind).record
            }.last { $0["type"] == "reply" }
            return reply
        }
        func check(_ request: Value, _ what: String) async {
            cases.begin("\(request["do"]?.json ?? ""): \(what)")
            var request = request
            request["id"] = 1
            let reply = await ask(request)
            #expect(reply?["ok"]?.bool != nil, "\(request)")
            if reply?["ok"] == false {
                #expect(reply?["error"]?["message"]?.string?.isEmpty == false, "\(request)")
            }
            let status = await ask(["id": 2, "do": "status"])
            #expect(status?["value"]?["flow"] == "flow", "\(request)")
        }
        for request in Self.requests {
            for (what, changed) in NumberCases.changed(request) { await check(changed, what) }
        }
        var numbers = SeededNumbers.printed()
        for _ in 0..<500 {
            guard let request = Self.requests.randomElement(using: &numbers) else { continue }
            let (what, changed) = NumberCases.shuffled(request, by: &numbers)
            await check(changed, what)
        }
        for id in NumberCases.values where id != nil {
            #expect(await ask(["id": id ?? .null, "do": "status"])?["id"] == id)
        }
        // Positions in paths, lines of log points and what stands for secrets are numbers, too.
        for text in NumberCases.texts {
            await check(["do": "value", "path": .string("rows[\(text)]")], text)
            await check(["do": "why", "path": .string("rows[\(text)]")], text)
            await check(["do": "log", "points": [["at": .string("flow.lua:\(text): x")]]], text)
        }
        cases.end()
        await session.close()
    }

    @Test func numbersThatStandForSecretsAreAnswered() async throws {
        var options = try Self.options()
        options.secrets = ["title"]
        options.props = ["title": "hidden"]
        let session = try await FlowSession.open(Self.flow, options: options)
        let client = ProtocolClient()
        let answers = Mutex(0)
        _ = await session.serve(#"{"do":"narrow","to":["view"]}"#, of: client)
        for text in NumberCases.texts {
            let request: Value = [
                "id": 1, "do": "value", "path": .string("a[\"[secret \(text)]\"]"),
            ]
            _ = await session.serve(request.json, of: client) { _ in answers.withLock { $0 += 1 } }
        }
        #expect(answers.withLock { $0 } >= NumberCases.texts.count)
        await session.close()
    }

    @Test func whatAnotherProgramTellsIsReadOrIgnored() async throws {
        let (records, _) = try await Self.played(Self.options())
        let error: Value = [
            "type": "error", "v": 1, "seq": 9, "cause": 3, "code": "lua", "message": "no",
            "location": ["file": "flow.lua", "line": 3],
            "trace": [["file": "flow.lua", "line": 3]], "excerpt": ["line": 2, "lines": ["x"]],
        ]
        let more: [Value] = [
            error, ["type": "done", "v": 1, "seq": 9, "reason": "eof", "exit": 0],
            ["type": "reply", "v": 1, "seq": 9, "id": 4, "ok": true],
            [
                "type": "log", "v": 1, "seq": 9, "message": "x",
                "location": ["file": "flow.lua", "line": 3],
            ],
        ]
        let cases = CaseFile("events")
        for record in records + more {
            for (what, changed) in NumberCases.changed(record) {
                cases.begin("\(record["type"]?.json ?? "") \(what)")
                guard let event = FlowEvent(record: changed) else { continue }
                #expect(Int.naturals.contains(event.sequence))
                #expect(FlowEvent(record: event.record) != nil, "\(changed)")
            }
        }
        let status: Value = ["flow": "flow", "step": 1, "of": 2]
        let hit: Value = [
            "step": 1, "call": 1, "node": "flow", "phase": "render", "file": "flow.lua", "line": 3,
            "failure": 1,
        ]
        let origin: Value = [
            "path": "a", "since": 1,
            "findings": [["kind": "sender", "subject": "you", "at": 5, "file": "f", "line": 1]],
        ]
        for (what, changed) in [status, hit, origin].flatMap(NumberCases.changed) {
            cases.begin(what)
            if let status = FlowStatus(document: changed) {
                #expect(Int.naturals.contains(status.step))
                #expect(Int.naturals.contains(status.stepCount))
            }
            if let hit = LogHit(document: changed) {
                #expect(Int.naturals.contains(hit.location.line))
            }
            if let origin = ValueOrigin(document: changed) {
                #expect(Int.naturals.contains(origin.since))
                #expect(origin.findings.allSatisfy { writtenTimes.contains($0.milliseconds ?? 0) })
            }
        }
        let input: Value = ["at": 5, "node": "flow", "action": ["type": "add"]]
        for (what, changed) in NumberCases.changed(input) {
            cases.begin(what)
            guard let input = try? FlowInput(document: changed) else { continue }
            #expect(milliseconds(rfc3339: rfc3339(milliseconds: input.milliseconds)) != nil)
        }
        cases.end()
    }

    @Test func timesOfWorkersAreTakenOrRefused() async throws {
        let numbers = [
            "math.mininteger", "-1", "-0.0", "0", "0.5", "1e-320", "1 << 31", "1 << 53",
            "(1 << 53) + 1", "math.maxinteger", "1e300", "1/0", "-1/0", "0/0", "nil", "'1'",
        ]
        for worker in ["clock.after", "clock.every"] {
            for number in numbers {
                let flow = FlowSource.text(
                    """
                    return {
                        state = { rings = 0 },
                        apply = {
                            ring = function(state) state.rings = state.rings + 1 end,
                            add = function() end,
                        },
                        render = function(state, context)
                            if state.rings < 1 then
                                pcall(function()
                                    context:run("\(worker)", { seconds = \(number) }, {
                                        on_output = "ring", on_error = "ring",
                                    })
                                end)
                            end
                            return {}
                        end,
                    }
                    """)
                let session = try await FlowSession.open(
                    flow, options: Self.options(runningWorkers: true))
                try await session.send("add")
                _ = try await session.snapshot().json
                await session.close()
            }
        }
    }

    /// A version that no snapshot could hold is refused where the flow is loaded.
    @Test(arguments: ["0", "-1", "0.5", "(1 << 53) + 1", "math.maxinteger", "1e300"])
    func versionsOfFlowsAreBounded(_ version: String) async throws {
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(
                .text("return { version = \(version), render = function() return {} end }"),
                options: Self.options())
        }
        #expect(error?.message.hasSuffix("must be a whole number from 1 on") == true)
    }
}
