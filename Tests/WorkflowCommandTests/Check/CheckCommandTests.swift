import Foundation
import TestSupport
import Testing

@testable import WorkflowCommand

@Suite struct CheckCommandTests {
    private static let good = "return { render = function() return 1 end }\n"
    private static let bad = "return { render = function() return os.time(), tabel end }\n"

    @Test func problemsAreLinesAndTheSummaryIsOnStandardError() async throws {
        let outcome = try await Folder(["good.lua": Self.good, "bad.lua": Self.bad])
            .run("check", "--no-luacheck")
        #expect(
            outcome.stdout == """
                bad.lua:1:37: 'os' is there for libraries: the time is context.now in apply; the rest is for workers
                bad.lua:1:48: there is no global 'tabel'. Did you mean 'table'?

                """)
        #expect(outcome.stderr == "checked 2 files: 2 problems in 1 file\n")
        #expect(outcome.status == 65)
    }

    @Test func jsonIsALineForEachProblem() async throws {
        let outcome = try await Folder(["bad.lua": Self.bad, "cut.lua": "return {"])
            .run("check", "bad.lua", "cut.lua", "--json", "--no-luacheck")
        #expect(
            outcome.stdout == """
                {"code":"global","column":37,"file":"bad.lua","line":1,"message":"'os' is there for libraries: the time is context.now in apply; the rest is for workers","type":"problem","v":1}
                {"code":"global","column":48,"file":"bad.lua","line":1,"message":"there is no global 'tabel'. Did you mean 'table'?","type":"problem","v":1}
                {"code":"syntax","file":"cut.lua","line":1,"message":"unexpected symbol near <eof>; the file ends too early: is an end, a ) or a } missing?","type":"problem","v":1}
                {"exit":65,"files":2,"problems":3,"type":"done","v":1}

                """)
        #expect(outcome.stderr == "checked 2 files: 3 problems in 2 files\n")
        #expect(outcome.status == 65)
    }

    @Test(arguments: [
        ["--exclude", "vendor"], ["--exclude", "vendor/", "--exclude", "none"],
        ["--exclude", "b?d.lua"], ["--exclude", "./vendor/bad.lua"], ["--exclude", "vendor/*.lua"],
    ]) func whatIsExcludedIsNotRead(_ options: [String]) async throws {
        let files = ["good.lua": Self.good, "vendor/bad.lua": Self.bad]
        let outcome = try await Folder(files)
            .run(["check", ".", "--json", "--no-luacheck"] + options)
        #expect(
            outcome.stdout == #"{"exit":0,"files":1,"problems":0,"type":"done","v":1}"# + "\n")
        #expect(outcome.status == 0)
    }

    @Test func noProblemsIsSuccess() async throws {
        let outcome = try await Folder(["good.lua": Self.good]).run("check", ".", "--no-luacheck")
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "checked 1 file: no problems\n")
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        (
            ["check", "gone"],
            """
            error: there is no file or folder gone
            help: give the path of a flow or of a folder with flows

            """, 66
        ),
        (
            ["check"],
            """
            error: there are no Lua files in .
            help: make a flow with workflow-run new

            """, 66
        ),
        (
            ["check", "--jsn"],
            """
            error: Unknown option '--jsn'. Did you mean '--json'?
            help: see workflow-run check --help

            """, 64
        ),
        (
            ["chek"],
            """
            error: 'chek' is neither a command nor a file. Did you mean 'check'?
            help: give the path of a flow, such as ./chek.lua, or see workflow-run --help

            """, 64
        ),
        (
            ["help", "chek"],
            """
            error: there is no command 'chek'. Did you mean 'check'?
            help: see workflow-run --help

            """, 64
        ),
    ])
    func wrongCommandLineIsSaid(_ arguments: [String], _ stderr: String, status: Int) async throws {
        let outcome = try await Folder().run(arguments)
        #expect(outcome.stderr == stderr)
        #expect(outcome.stdout == "")
        #expect(outcome.status == Int32(status))
    }

    /// A program by that name prints about a good file, one with a problem already, and no file.
    @Test func luacheckIsRunWhereItIsInstalled() async throws {
        let program = """
            #!/bin/sh
            case "$*" in
            *"--std none "*" string.byte "*" -- bad.lua good.lua") ;;
            *) exit 3 ;;
            esac
            echo "good.lua:1:10: unused variable 'x'"
            echo "bad.lua:1:37: accessing undefined variable 'os'"
            echo "Total: 2 warnings / 0 errors in 2 files"
            exit 1
            """
        let scene = try Folder(["good.lua": Self.good, "bad.lua": Self.bad, "luacheck": program])
        let path = scene.path("luacheck")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let environment = ["PATH": scene.path]
        let outcome = try await scene.run(
            ["check", "bad.lua", "good.lua"], environment: environment)
        #expect(
            outcome.stdout == """
                bad.lua:1:37: 'os' is there for libraries: the time is context.now in apply; the rest is for workers
                bad.lua:1:48: there is no global 'tabel'. Did you mean 'table'?
                good.lua:1:10: unused variable 'x'

                """)
        let without = try await scene.run(
            ["check", "good.lua", "--no-luacheck"], environment: environment)
        #expect(without.stdout == "")
        #expect(without.status == 0)
    }
}
