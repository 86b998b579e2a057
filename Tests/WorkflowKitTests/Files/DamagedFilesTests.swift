import Foundation
import PlainValue
import TestFlows
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct DamagedFilesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func path(_ name: String) -> String { folder.path(name) }

    private func recorded() async throws -> [UInt8] {
        let path = path("\(UUID().uuidString).jsonl")
        var options = FlowOptions()
        options.now = { 1_000_000 }
        options.journal = try FlowJournal(path: path)
        let session = try await FlowSession.open(.list, options: options)
        for text in ["milk", "Brötchen", "\"tea\""] {
            try await session.send(["type": "add", "text": .string(text)])
        }
        try await session.undo()
        await session.close()
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    private func snapshotText() async throws -> String {
        let session = try await FlowSession.open(.list)
        try await session.send(["type": "add", "text": "milk"])
        return try await session.snapshot().json
    }

    private func read(_ bytes: [UInt8]) -> Result<FlowRecording, FlowError> {
        Result { () throws(FlowError) in
            let path = path("damaged.jsonl")
            try? Data(bytes).write(to: URL(filePath: path))
            return try FlowRecording(path: path)
        }
    }

    private func inputs(_ recording: FlowRecording) -> [FlowInput] { recording.steps.map(\.input) }

    @Test func aRecordingThatWasCutAnywhereIsReadUpToTheLastWholeLine() async throws {
        let bytes = try await recorded()
        let whole = inputs(try read(bytes).get())
        #expect(whole.count == 3)
        let firstLine = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for length in 0..<bytes.count {
            switch read(Array(bytes[..<length])) {
            case .success(let recording):
                let known = inputs(recording)
                #expect(known.elementsEqual(whole.prefix(known.count)), "\(length)")
                let isWhole =
                    bytes[length - 1] == UInt8(ascii: "\n") || bytes[length] == UInt8(ascii: "\n")
                #expect(
                    recording.notes == (isWhole ? [] : ["the last line was cut and is left out"]))
            case .failure(let error):
                #expect(length <= firstLine, "\(length)")
                #expect(
                    error.message == "the recording is empty"
                        || error.message.hasPrefix("not a recording: "), "\(error.message)")
            }
        }
    }

    @Test func aRecordingWithAFlippedBitIsRefusedOrReadAsItWas() async throws {
        let bytes = try await recorded()
        let whole = "\(try read(bytes).get().steps)"
        var refused = 0
        for index in stride(from: 0, to: bytes.count, by: 3) {
            for bit in [index % 8, (index + 3) % 8] {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                guard let text = String(validating: damaged, as: UTF8.self) else {
                    refused += 1
                    continue
                }
                do throws(FlowError) {
                    let recording = try FlowRecording(parsing: text)
                    // The change damaged the seal or the last line, which then counts as cut.
                    if recording.notes.isEmpty {
                        #expect("\(recording.steps)" == whole, "\(index)")
                    }
                } catch {
                    refused += 1
                    #expect(error.code == .recording)
                }
            }
        }
        #expect(refused > bytes.count / 2)
    }

    @Test func aChangedLineIsSaidToBeDamagedUnlessItsSumIsTakenAway() async throws {
        let text = String(decoding: try await recorded(), as: UTF8.self)
        let changed = text.replacing("milk", with: "silk", maxReplacements: 1)
        let error = #expect(throws: FlowError.self) {
            try FlowRecording(parsing: changed, name: "s.jsonl")
        }
        #expect(error?.location == .init(file: "s.jsonl", line: 3))
        #expect(error?.message == "the line is damaged: its sum is not that of its text")
        #expect(error?.help == "if it was changed on purpose, take its \"sum\" away")
        let meant = changed.replacing(#/,"sum":"[0-9a-f]{16}"}/#, with: "}")
        let recording = try FlowRecording(parsing: meant)
        #expect(
            recording.steps.first?.input.kind
                == .action(["type": "add", "text": "silk"], node: "list"))
    }

    @Test func aRecordingMayHaveOtherLineEndsAndAByteOrderMark() async throws {
        let bytes = try await recorded()
        let text = String(decoding: bytes, as: UTF8.self)
        let other = Array(("\u{FEFF}" + text.replacing("\n", with: "\r\n")).utf8)
        #expect(inputs(try read(other).get()) == inputs(try read(bytes).get()))
    }

    @Test func linesThatAreMissingDoubledOrMovedAreNamed() async throws {
        let whole = try await recorded()
        let lines = whole.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
        func said(_ lines: [ArraySlice<UInt8>]) -> String? {
            if case .failure(let error) = read(Array(lines.joined())) {
                return "\(error.location?.line ?? 0): \(error.message)"
            }
            return nil
        }
        for index in 1..<lines.count - 1 {
            var changed = lines
            changed.remove(at: index)
            #expect(said(changed) == "\(index + 1): 1 line is missing before this one")
            changed = lines
            changed.insert(lines[index], at: index)
            #expect(
                said(changed)
                    == "\(index + 2): the line does not belong here: it is number \(index + 1), and the one before is number \(index + 1)"
            )
            changed = lines
            changed.swapAt(index, index + 1)
            #expect(said(changed)?.hasPrefix("\(index + 1): 1 line is missing") == true)
        }
        #expect(said(lines + lines) == "\(lines.count + 1): another recording begins in this line")
        // A recording without inputs does not count.
        #expect(try inputs(read(Array((lines[..<2] + lines).joined())).get()).count == 3)
    }

    @Test func aSnapshotWithAFlippedBitOrCutIsRefused() async throws {
        let text = try await snapshotText()
        let bytes = Array(text.utf8)
        let whole = try FlowSnapshot(json: bytes).json
        #expect(whole == text)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << (index % 8)
            if let snapshot = try? FlowSnapshot(json: damaged) {
                #expect(snapshot.json == whole, "\(index)")
            }
            #expect(throws: FlowError.self) { try FlowSnapshot(json: bytes[..<index]) }
        }
        let error = #expect(throws: FlowError.self) {
            try FlowSnapshot(json: text.replacing("milk", with: "silk").utf8)
        }
        #expect(error?.message == "the snapshot is damaged: its sum is not that of its text")
        #expect(error?.help == "if it was changed on purpose, take its \"sum\" away")
    }

    @Test func filesOfANewerVersionNameTheNextStep() async throws {
        let recording = #expect(throws: FlowError.self) {
            try FlowRecording(parsing: #"{"v":2,"type":"ready"}"#, name: "s.jsonl")
        }
        #expect(recording?.message == "the recording has version 2, not 1")
        #expect(recording?.help == "replay it with the version of the program that made it")
        let snapshot = #expect(throws: FlowError.self) {
            try FlowSnapshot(document: ["workflow_snapshot": 2])
        }
        #expect(snapshot?.message == "the snapshot has version 2, not 1")
        #expect(snapshot?.help == "restore it with the version of the program that made it")
    }

    private static let ready = #"{"v":1,"type":"ready","flow":"list","hash":"0","seed":"1"}"# + "\n"

    @Test(arguments: [
        (
            #"{"v":1}"#,
            """
            a recording begins with a line of the type "ready"
            help: a recording is what a FlowJournal writes
            """, 1
        ),
        (
            #"{"v":1,"type":"ready","flow":"list"}"#,
            #"the first line lacks "flow", "hash" or "seed""#, 1
        ), (ready + "{}", #"the line lacks a "type""#, 2),
        (
            ready + #"{"type":"action","source":"client"}"#,
            #"an action lacks "action" or "node""#, 2
        ),
        (
            ready + #"{"type":"action","source":"client","action":"add","node":"list"}"#,
            #""at" is not a time"#, 2
        ), (ready + #"{"type":"props"}"#, #"new props lack "props""#, 2),
        (ready + #"{"type":"moved"}"#, #"a move lacks "step""#, 2),
        (ready + #"{"type":"rendering"}"#, #"a rendering lacks "rendering""#, 2),
        (
            ready + #"{"type":"worker","phase":"finished"}"#,
            #"a worker lacks "node" or "worker""#, 2
        ),
    ]) func whatALineLacksIsSaid(_ text: String, _ said: String, _ line: Int) {
        let error = #expect(throws: FlowError.self) {
            try FlowRecording(parsing: text + "\n", name: "s.jsonl")
        }
        #expect(error?.said == said)
        #expect(error?.location == .init(file: "s.jsonl", line: line))
    }

    @Test(arguments: ["return {}", "return {}\n"]) func aTextOfAnotherKindIsNoRecording(
        _ text: String
    ) {
        let error = #expect(throws: FlowError.self) { try FlowRecording(parsing: text) }
        #expect(
            error?.said == """
                not a recording: return {}
                help: a recording is what a FlowJournal writes
                """)
    }

    @Test func aWorkerThatTheFlowDoesNotRunGivesNothing() async throws {
        let text =
            Self.ready
            + #"{"v":1,"seq":2,"at":"2026-01-01T00:00:00.000Z","type":"worker","phase":"finished","node":"list","worker":"web.get","key":"a"}"#
            + "\n" + #"{"v":1,"seq":3,"type":"rendering","rendering":{"items":[]}}"# + "\n"
        let recording = try FlowRecording(parsing: text)
        let session = try await recording.makeSession(of: .list)
        let differences = try await recording.replay(in: session)
        let errors = differences.map { difference -> String? in
            if case .error(nil, let now) = difference.content { now } else { nil }
        }
        #expect(errors == ["'list' runs no worker 'web.get:a' now"])
    }

    @Test func aRecordingDoesNotReplaceAFile() throws {
        let path = path("there.jsonl")
        try Data().write(to: URL(filePath: path))
        let error = #expect(throws: FlowError.self) { try FlowJournal(path: path) }
        #expect(
            error?.said == """
                there is a file \(path) already
                help: record into a new file, or remove this one first
                """)
    }

    @Test(
        arguments: [
            (
                ["workflow_snapshot": .null],
                """
                not a snapshot of a flow
                help: a snapshot is what FlowSnapshot.json gives
                """
            ), (["flow": .null], #"the snapshot has no "flow""#),
            (["at": "noon"], #""at" of the snapshot is not a time"#),
            (["random": "?"], #""random" of the snapshot is broken"#),
            (["nodes": .null], #"the snapshot has no "nodes""#),
            (
                ["files": .record([String(repeating: "x", count: 1025): "0"])],
                #""files" of the snapshot has a name of more than 1024 bytes"#
            ), (["nodes": [[:]]], #"a node of the snapshot has no "path""#),
            (["nodes": [["path": "/"]]], "'/' in the snapshot is not the path of a node"),
            (
                ["nodes": [["path": "list"], ["path": "a/b"]]],
                "the node 'a/b' of the snapshot has no parent in it"
            ),
            (
                ["nodes": [["path": "list", "workers": [[:]]]]],
                #"a worker of the snapshot has no "worker""#
            ),
        ] as [(Value.Record, String)])
    func whatASnapshotLacksIsSaid(_ changes: Value.Record, _ said: String) async throws {
        let known = try FlowSnapshot(json: try await snapshotText().utf8).document
        guard case .record(var document) = known else { return }
        for (name, value) in changes {
            if value == .null { document.removeValue(forKey: name) } else { document[name] = value }
        }
        let changed = Value.record(document)
        let error = #expect(throws: FlowError.self) { try FlowSnapshot(document: changed) }
        #expect(error?.said == said)
    }

    @Test func aSnapshotThatIsNoJSONIsSaidToBeNone() {
        let error = #expect(throws: FlowError.self) { try FlowSnapshot(json: "{".utf8) }
        #expect(
            error?.said
                == "the snapshot is not JSON: line 1, column 2: expected a key in double quotes, found the end of the text"
        )
    }

    @Test func aRecordingThatGoesToAStepThatItLacksIsRefused() async throws {
        let text = String(decoding: try await recorded(), as: UTF8.self)
            .replacing(#/,"sum":"[0-9a-f]{16}"}/#, with: "}")
            .replacing(#""step":2,"type":"moved""#, with: #""step":4,"type":"moved""#)
        let error = #expect(throws: FlowError.self) { try FlowRecording(parsing: text) }
        #expect(error?.message == "it goes to step 4, of which it does not have the input")
        #expect(error?.location?.line == 9)
    }

    @Test func aSnapshotOfAnotherFlowIsRefusedAndNothingIsChanged() async throws {
        let snapshot = try FlowSnapshot(json: try await snapshotText().utf8)
        let events = EventRecorder()
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(.counter, restoring: snapshot, onEvent: events.note)
        }
        #expect(
            error?.said == """
                the snapshot does not fit the flow
                note: it is of the flow 'list', not of 'counter'
                note: counter is new, and has no state in it
                note: list is in it, but not in the flow any more
                help: go on with what fits by FlowSnapshot.isLenient
                """)
        #expect(events.types == ["ready", "error"])
    }

    @Test func aSnapshotOfChangedFilesIsRefused() async throws {
        func source(_ text: String) -> FlowSource {
            .text(
                "return { name = 'list', state = { n = 0 }, render = function() return require 'word' end }",
                name: "list.lua", modules: ["word": "return { word = '\(text)' }"])
        }
        let session = try await FlowSession.open(source("old"))
        let snapshot = try await session.snapshot()
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(source("new"), restoring: snapshot)
        }
        #expect(
            error?.said == """
                the snapshot does not fit the flow
                note: word.lua has changed since it was made
                help: give the flow a higher version and a migrate, or go on with what fits by FlowSnapshot.isLenient
                """)
    }

    @Test(arguments: [
        "-- a comment\nreturn { word = 'old' }", "return{word='old'}--[[ and\nanother ]]",
        "#!shell\r\nreturn {\r\n  word = 'old' --\r\n}",
    ]) func aSnapshotFitsFilesOfWhichOnlyCommentsAndBlanksChanged(word: String) async throws {
        func source(_ word: String) -> FlowSource {
            .text(
                "return { name = 'list', state = { n = 0 }, render = function() return require 'word' end }",
                name: "list.lua", modules: ["word": word])
        }
        let session = try await FlowSession.open(source("return { word = 'old' }"))
        let snapshot = try await session.snapshot()
        let later = try await FlowSession.open(source(word), restoring: snapshot)
        #expect(await later.rendering == ["word": "old"])
    }

    @Test func aSnapshotWithTheSumsOfWholeTextsIsOfTheseTexts() async throws {
        let text = "return { name = 'list', state = { n = 0 }, render = function() return 1 end }"
        let source = FlowSource.text(text, name: "list.lua")
        var snapshot = try await FlowSession.open(source).snapshot()
        let sums = try LuaFlow(source: text, name: "list.lua").fileHashes
        #expect(sums != snapshot.files)
        snapshot.files = sums
        #expect(try await FlowSession.open(source, restoring: snapshot).rendering == 1)
    }

    @Test func aSnapshotOfAnotherVersionNeedsToBeMigrated() async throws {
        func source(_ fields: String) -> FlowSource {
            .text(
                "return { name = 'list', state = { n = 0 }, \(fields) render = function(state) return state end }",
                name: "list.lua")
        }
        let session = try await FlowSession.open(source(""))
        let snapshot = try await session.snapshot()
        let missing = await #expect(throws: FlowError.self) {
            try await FlowSession.open(source("version = 2,"), restoring: snapshot)
        }
        #expect(
            missing?.said == """
                the snapshot does not fit the flow
                note: list cannot go on: list.lua:1: the state is of version 1 of list, which is at version 2; \
                add: migrate = function(state, from_version) … return state end
                help: give the flow a higher version and a migrate, or go on with what fits by FlowSnapshot.isLenient
                """)
        let wrong = await #expect(throws: FlowError.self) {
            try await FlowSession.open(
                source("version = 2, migrate = function() return 1 end,"), restoring: snapshot)
        }
        #expect(
            wrong?.notes == [
                "list cannot go on: list.lua:1: migrate must return the new state, not an integer (in migrate of list)"
            ])
        let forgotten = await #expect(throws: FlowError.self) {
            try await FlowSession.open(
                source("version = 2, migrate = function(old) old.extra = 1 end,"),
                restoring: snapshot)
        }
        #expect(
            forgotten?.notes == [
                "list cannot go on: list.lua:1: migrate must return the new state, not nil (in migrate of list)"
            ])
    }

    @Test func hostileFilesAreRefused() async throws {
        let deep = String(repeating: "[", count: 1_000_000)
        let recording = #expect(throws: FlowError.self) {
            try FlowRecording(parsing: Self.ready + deep + "\n", name: "s.jsonl")
        }
        #expect(
            recording?.message
                == "the line is not JSON: line 1, column 161: lists and records are nested more than 160 deep"
        )
        let snapshot = #expect(throws: FlowError.self) { try FlowSnapshot(json: deep.utf8) }
        #expect(snapshot?.code == .snapshot)
        var path = ""
        var nodes: [Value] = []
        for _ in 0..<10_050 {
            path += path.isEmpty ? "n" : "/n"
            nodes.append(["path": .string(path)])
        }
        let known = try FlowSnapshot(json: try await snapshotText().utf8).document
        guard case .record(var document) = known else { return }
        document["nodes"] = .list(Value.List(nodes))
        let hostile = Value.record(document)
        let chain = #expect(throws: FlowError.self) { try FlowSnapshot(document: hostile) }
        #expect(chain?.message == "the nodes of the snapshot are nested more than 2,000 deep")
    }

    @Test func aHugeFileIsRefusedUnread() throws {
        let path = path("huge.jsonl")
        try Data().write(to: URL(filePath: path))
        // A hole in the file takes no space.
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 8 << 30)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: FlowError.self) { try FlowRecording(path: path) }
        #expect(error?.code == .file)
        #expect(error?.message == "\(path) cannot be read: it is larger than 4 GiB")
    }
}

extension FlowSource {
    static let list = FlowSource.text(
        """
        local List = { name = "list", state = { items = {} } }
        List.apply = { add = function(state, action) table.insert(state.items, action.text) end }
        function List.render(state, context) return { items = state.items } end
        return List
        """, name: "list.lua")
}
