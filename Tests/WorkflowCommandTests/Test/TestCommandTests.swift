import Foundation
import PlainValue
import TestSupport
import Testing

@Suite struct TestCommandTests {
    @Test func testsArePrintedAsATree() async throws {
        let outcome = try await testScene([
            "flow_test.lua": passingTests, "more_test.lua": failingTests,
        ]).run("test")
        #expect(
            outcome.steadyOutput == """
                flow_test.lua
                  flow
                    ✓ starts at zero T
                    with <more>
                      ○ is & stays pending
                more_test.lua
                  ✗ adds #1 T
                    error: the rendering is not as expected
                      ┌─ more_test.lua:6
                      │
                    5 │     flow:send { type = "add", by = 2 }
                    6 │     flow:expect_rendering { n = 3 }
                    7 │ end)
                      │
                      - expected, + found
                      - n = 3
                      + n = 2
                    steps:
                      1. add { by = 2 }   more_test.lua:5
                    to look into it: workflow-run repl R/more_test-adds--1.jsonl
                    to debug it:     launch that recording in an editor, by workflow-run debug

                more_test.lua:2: failed: adds #1

                1 passed, 1 failed, 1 pending in T

                """)
        #expect(outcome.stderr == "more_test.lua:3: adding\n")
        #expect(outcome.status == 1)
    }

    @Test(arguments: [
        "pcall(function() flow:expect_rendering { n = 1 } end)",
        "coroutine.resume(coroutine.create(function() flow:expect_rendering { n = 1 } end))",
    ]) func anExpectationThatIsCaughtFailsItsTest(_ line: String) async throws {
        let outcome = try await testScene([
            "flow_test.lua": """
            it("catches", function()
                local flow = workflow.test(require "flow")
                \(line)
            end)
            it("expects a failure", function()
                local flow = workflow.test(require "flow")
                expect(function() flow:expect_rendering { n = 1 } end):fails "not as expected"
            end)

            """
        ]).run("test")
        #expect(outcome.steadyOutput.contains("error: the rendering is not as expected"))
        #expect(outcome.steadyOutput.contains("flow_test.lua:3"))
        #expect(
            outcome.steadyOutput.contains(
                "= pcall or a coroutine caught it, and the test went on\n"))
        #expect(outcome.steadyOutput.hasSuffix("\n1 passed, 1 failed in T\n"))
        #expect(outcome.status == 1)
    }

    @Test func anExpectationWithoutAMatcherFailsItsTest() async throws {
        let outcome = try await testScene([
            "flow_test.lua": """
            it("compares", function()
                expect(1):equals(1)
                expect(1 == 2)
            end)

            """
        ]).run("test")
        #expect(
            outcome.steadyOutput.contains(
                """
                error: this expects nothing of its value
                      ┌─ flow_test.lua:3
                """))
        #expect(
            outcome.steadyOutput.contains(
                "help: write expect(value):equals(…), :matches(…) or :fails(…)\n"))
        #expect(outcome.status == 1)
    }

    @Test func passedTestsEndWithZeroAndLeaveNothing() async throws {
        let outcome = try await testScene(["flow_test.lua": passingTests])
            .run("test", "flow_test.lua")
        #expect(outcome.steadyOutput.hasSuffix("\n1 passed, 1 pending in T\n"))
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        #expect(try outcome.temporary.names() == [])
    }

    @Test func aRunThatIsKilledBeforeATestHasFailedLeavesNothing() async throws {
        let scene = try testScene([
            "a_test.lua": """
            it("passes", function() end)
            it("spins", function() print("spinning") while true do end end)
            """
        ])
        let program = try await scene.start(["test", "a_test.lua", "--tap", "--max-time", "1000"])
        while let line = await program.line(), !line.hasPrefix("ok 1") {}
        program.send(SIGKILL)
        let outcome = try await program.finish()
        #expect(outcome.status == 128 + SIGKILL)
        #expect(try outcome.temporary.names() == [])
    }

    @Test func placesAreRelativeToTheCurrentFolder() async throws {
        let scene = try testScene()
        let folder = scene.url.appendingPathComponent("deep/er")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("it(\"fails\", function() error(\"no\") end)\n".utf8)
            .write(to: folder.appendingPathComponent("a_test.lua"))
        try Data("it(\"hidden\", function() end)\n".utf8)
            .write(to: scene.url.appendingPathComponent(".hidden_test.lua"))
        let outcome = try await scene.run("test")
        #expect(outcome.stdout.contains("┌─ deep/er/a_test.lua:1\n"))
        #expect(outcome.stdout.contains("\ndeep/er/a_test.lua:1: failed: fails\n"))
        #expect(!outcome.stdout.contains("hidden"))
    }

    @Test func theTestAnythingProtocolIsPrinted() async throws {
        let outcome = try await testScene([
            "flow_test.lua": passingTests, "more_test.lua": failingTests,
        ]).run("test", "--tap")
        #expect(
            outcome.stdout == """
                TAP version 14
                # flow_test.lua
                ok 1 - flow > starts at zero
                ok 2 - flow > with <more> > is & stays # SKIP pending
                # more_test.lua
                not ok 3 - adds \\#1
                  ---
                  message: "the rendering is not as expected"
                  at: "more_test.lua:6"
                  diff:
                    - "- n = 3"
                    - "+ n = 2"
                  steps:
                    - "add { by = 2 }   more_test.lua:5"
                  ...
                1..3

                """)
        #expect(outcome.status == 1)
    }

    @Test func resultsArePrintedAsJSONLines() async throws {
        let outcome = try await testScene([
            "broken_test.lua": "it(", "flow_test.lua": passingTests, "more_test.lua": failingTests,
        ]).run("test", "--json", "--recordings", "records")
        let lines = try outcome.steadyOutput.replacing("T", with: "0").split(separator: "\n")
            .map { try Value(json: String($0)) }
        #expect(lines.map { $0["type"]?.string } == ["error", "test", "test", "test", "done"])
        #expect(lines[0]["error"]?["code"] == "syntax")
        #expect(
            lines[1] == [
                "v": 1, "type": "test", "file": "flow_test.lua", "line": 3,
                "path": ["flow", "starts at zero"], "outcome": "passed", "seconds": 0,
            ])
        #expect(lines[2]["outcome"] == "pending")
        #expect(lines[3]["failure"]?["message"] == "the rendering is not as expected")
        #expect(lines[3]["failure"]?["mismatches"] == [["path": "n", "expected": 3, "found": 2]])
        #expect(lines[3]["failure"]?["recordings"] == ["records/more_test-adds--1.jsonl"])
        #expect(
            lines[4] == [
                "v": 1, "type": "done", "passed": 1, "failed": 1, "pending": 1, "broken": 1,
                "seconds": 0, "exit": 65,
            ])
        #expect(outcome.status == 65)
    }

    @Test func aReportInXMLIsWritten() async throws {
        let scene = try testScene(["flow_test.lua": passingTests, "more_test.lua": failingTests])
        let outcome = try await scene.run("test", "--junit", "report.xml")
        #expect(outcome.status == 1)
        let file = scene.url.appendingPathComponent("report.xml")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing(/time="[0-9.e-]+"/, with: "time=\"T\"")
            .replacing(/<failure message="([^"]*)">[^<]*/) {
                "<failure message=\"\($0.output.1)\">…"
            }
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="3" failures="1" errors="0">
                  <testsuite name="flow_test.lua" tests="2" failures="0" errors="0" skipped="1" time="T">
                    <testcase classname="flow" name="starts at zero" file="flow_test.lua" line="3" time="T"/>
                    <testcase classname="flow with &lt;more&gt;" name="is &amp; stays" file="flow_test.lua" line="7" time="T"><skipped/></testcase>
                  </testsuite>
                  <testsuite name="more_test.lua" tests="1" failures="1" errors="0" skipped="0" time="T">
                    <testcase classname="more_test.lua" name="adds #1" file="more_test.lua" line="2" time="T">
                      <failure message="the rendering is not as expected">…</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
        let broken = try testScene(["broken_test.lua": "it("])
        #expect(try await broken.run("test", "--junit", "report.xml").status == 65)
        let report = try broken.text(of: "report.xml")
        #expect(
            report == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="1" failures="0" errors="1">
                  <testsuite name="broken_test.lua" tests="1" failures="0" errors="1" skipped="0" time="0.0">
                    <testcase classname="broken_test.lua" name="broken_test.lua">
                      <error message="unexpected symbol near &lt;eof&gt;">error: unexpected symbol near &lt;eof&gt;&#10;  ┌─ broken_test.lua:1&#10;  │&#10;1 │ it(&#10;  │&#10;help: the file ends too early: is an end, a ) or a } missing?&#10;</error>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
        let denied = try await scene.run("test", "--junit", "none/report.xml")
        #expect(
            denied.stderr.hasSuffix(
                "error: none/report.xml cannot be written: No such file or directory\n"))
        #expect(denied.status == 74)
    }

    @Test func goldenRenderingsAreUpdated() async throws {
        let scene = try testScene([
            "flow_test.lua": """
            it("is golden", function() workflow.test("flow"):expect_golden("first") end)
            """
        ])
        #expect(try await scene.run("test").status == 1)
        #expect(try await scene.run("test", "--update").status == 0)
        #expect(try await scene.run("test").status == 0)
        let golden = scene.url.appendingPathComponent("flow_test.golden/first.json")
        #expect(try String(contentsOf: golden, encoding: .utf8) == "{\n  \"n\": 0\n}\n")
    }

    @Test(arguments: [
        (
            ["test", "gone"], 66,
            """
            error: there is no file or folder gone
            help: give the path of a test file, or of a folder to look in

            """
        ),
        (
            ["test"], 66,
            """
            error: there are no tests: no file in . ends in _test.lua
            help: write counter_test.lua beside counter.lua, or give another folder

            """
        ),
        (
            ["test", "flow.lua"], 66,
            """
            error: the test files define no tests
            help: write it("adds items", function() … end)

            """
        ),
        (
            ["test", "--tap", "--json"], 64,
            """
            error: Only one of --tap and --json can be printed.
            help: see workflow-run test --help

            """
        ),
    ])
    func whatCannotBeRunIsSaid(_ arguments: [String], _ status: Int32, _ text: String) async throws
    {
        let outcome = try await testScene().run(arguments)
        #expect(outcome.stderr == text)
        #expect(outcome.status == status)
    }

    @Test func aFilterThatFitsNoTestIsSaid() async throws {
        let scene = try testScene(["flow_test.lua": passingTests, "more_test.lua": failingTests])
        let one = try await scene.run("test", "--filter", "starts")
        #expect(
            one.steadyOutput == """
                flow_test.lua
                  flow
                    ✓ starts at zero T

                1 passed in T

                """)
        let none = try await scene.run("test", "--filter", "ends")
        #expect(
            none.stderr == """
                error: no test has 'ends' in its name
                help: a filter is a part of a test's name with those of its groups, as printed

                """)
        #expect(none.status == 66)
    }

    @Test func aBrokenFileIsSaidAndTheOthersRun() async throws {
        let outcome = try await testScene([
            "a_test.lua": "local x = = 1\n", "flow_test.lua": passingTests,
        ]).run("test")
        #expect(
            outcome.steadyOutput == """
                a_test.lua
                  error: unexpected symbol near '='
                    ┌─ a_test.lua:1
                    │
                  1 │ local x = = 1
                    │
                  help: a statement is a call or an assignment; look at the line before, too
                flow_test.lua
                  flow
                    ✓ starts at zero T
                    with <more>
                      ○ is & stays pending

                a_test.lua: the file is broken

                1 passed, 1 pending, 1 file broken in T

                """)
        #expect(outcome.status == 65)
    }

    @Test func watchingRunsAgainWhenAFileChanges() async throws {
        let scene = try testScene(["flow_test.lua": failingTests])
        let program = try await scene.start(["test", "--watch"])
        func untilSummary() async -> String {
            while let line = await program.line() {
                if line.contains("passed") { return line.components(separatedBy: " in ")[0] }
            }
            return ""
        }
        #expect(await untilSummary() == "0 passed, 1 failed")
        func change(to text: String) throws {
            let changed = failingTests.replacingOccurrences(of: "n = 3", with: text)
            // Atomically, so that no run sees a partial file.
            try Data(changed.utf8).write(
                to: scene.url.appendingPathComponent("flow_test.lua"), options: .atomic)
        }
        try change(to: "n = 40")
        #expect(await untilSummary() == "0 passed, 1 failed")
        try change(to: "n = 2  ")
        #expect(await untilSummary() == "1 passed")
        program.send(SIGTERM)
        let outcome = try await program.finish()
        #expect(
            outcome.stderr.contains("\n\nwaiting for a file to change; Ctrl-C ends\n\n"))
        #expect(outcome.status == 128 + SIGTERM)
        // All runs record in the same folder.
        let folder = try #require(try outcome.temporary.names().first)
        #expect(try outcome.temporary.names() == [folder])
        #expect(
            try outcome.temporary.names(in: folder)
                == ["flow_test-adds--1-2.jsonl", "flow_test-adds--1.jsonl"])
    }
}
