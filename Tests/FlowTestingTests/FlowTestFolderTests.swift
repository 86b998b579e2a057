import FlowTesting
import Foundation
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct FlowTestFolderTests {
    private let folder: Folder

    init() throws { folder = try Folder(["flow.lua": FlowTestingTests.flow]) }

    private func run(_ body: String, options: FlowTestOptions) throws -> FlowTestResult {
        try folder.write(
            "local Flow = require \"flow\"\nit(\"goes: 1/2\", function()\n\(body)\nend)",
            to: "flow_test.lua")
        let file = FlowTestFile(.file(folder.path("flow_test.lua")), options: options)
        return try #require(try file.run().first)
    }

    @Test func aFailedTestLeavesARecordingThatReplays() async throws {
        let recordings = folder.path("a/b")
        let result = try run(
            """
            local flow = workflow.test(Flow, { step = 1 })
            flow:send "draw"
            flow:send "spoil"
            flow:expect_error "luck"
            flow:send { type = "wait", seconds = 2 }
            flow:advance(3)
            flow:send "load"
            flow:worker("web.get"):output("text")
            flow:undo()
            flow:redo()
            flow:update { step = 2 }
            flow:send "tell"
            """, options: FlowTestOptions(recordings: recordings))
        let failure = try #require(result.failure)
        #expect(failure.recordings == [recordings + "/flow_test-goes--1-2.jsonl"])
        let recording = try FlowRecording(path: try #require(failure.recordings.first))
        #expect(recording.header.file == folder.path("flow.lua"))
        #expect(recording.steps.count == 9)
        let source = FlowSource.file(try #require(recording.header.file))
        let session = try await recording.makeSession(of: source)
        #expect(try await recording.replay(in: session).isEmpty)
        #expect(await session.rendering["step"] == 2)
        #expect(try LuaFlow(file: folder.path("flow.lua")).hash == recording.header.hash)
    }

    @Test func ofManyFlowsTheLastOnesAreRecorded() throws {
        let recordings = folder.path("recordings")
        let failure = try #require(
            try run(
                "for _ = 1, 12 do workflow.test(Flow) end error(\"no\")",
                options: FlowTestOptions(recordings: recordings)
            ).failure)
        #expect(
            failure.recordings == (3...12).map { recordings + "/flow_test-goes--1-2-\($0).jsonl" })
        #expect(failure.error.notes == ["the last 10 of 12 flows were recorded"])
    }

    @Test func aSecondRecordingDoesNotReplaceTheFirst() throws {
        let options = FlowTestOptions(recordings: folder.path("recordings"))
        let body = "workflow.test(Flow):send \"spoil\""
        let first = try #require(try run(body, options: options).failure).recordings
        let second = try #require(try run(body, options: options).failure).recordings
        #expect(
            first + second == [
                folder.path("recordings/flow_test-goes--1-2.jsonl"),
                folder.path("recordings/flow_test-goes--1-2-2.jsonl"),
            ])
    }

    @Test func aRecordingThatCannotBeWrittenIsANote() throws {
        try folder.write("", to: "file")
        let recordings = folder.path("file/recordings")
        let result = try run(
            "workflow.test(Flow):send \"spoil\"", options: FlowTestOptions(recordings: recordings))
        let failure = try #require(result.failure)
        #expect(failure.recordings == [])
        #expect(
            failure.error.notes.last
                == "no recording was written: \(recordings) cannot be made: Not a directory")
    }

    @Test func goldenRenderingsAreWrittenAndCompared() throws {
        let body = """
            local flow = workflow.test(Flow)
            flow:send { type = "add", by = 2 }
            flow:expect_golden "two of them"
            """
        let missing = try #require(try run(body, options: FlowTestOptions()).failure)
        #expect(missing.error.message == "there is no golden rendering 'two of them'")
        #expect(
            missing.error.help
                == "look at the rendering, and write it with FlowTestOptions.updatesGoldens")
        let updating = FlowTestOptions(updatesGoldens: true)
        #expect(try run(body, options: updating).failure == nil)
        let golden = try folder.text(of: "flow_test.golden/two of them.json")
        #expect(try Value(json: golden)["n"] == 2)
        #expect(try run(body, options: FlowTestOptions()).failure == nil)
        let other = body.replacingOccurrences(of: "by = 2", with: "by = 3")
        let different = try #require(try run(other, options: FlowTestOptions()).failure)
        #expect(
            different.error.said == """
                the rendering is not the golden one, 'two of them'
                help: if it is meant, write it anew with FlowTestOptions.updatesGoldens
                """)
        #expect(different.mismatches.flatMap(\.lines) == ["- n = 2", "+ n = 3"])
        try folder.write("{", to: "flow_test.golden/two of them.json")
        let broken = try #require(try run(body, options: FlowTestOptions()).failure)
        #expect(broken.error.message.contains("two of them.json is not JSON: "))
    }

    @Test func theExamplesPassTheirTests() throws {
        let names = ["checkout", "counter", "hello", "stopwatch", "tic-tac-toe", "todo", "welcome"]
        for name in names {
            let results = try FlowTestFile(
                .file(Repository.path("Examples/\(name)/\(name)_test.lua"))
            ).run()
            #expect(results.count > 2)
            for result in results { #expect(result.failure == nil, "\(name): \(result.fullName)") }
        }
    }
}
