import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing

@testable import WorkflowCommand

@Suite struct CommandLineTests {
    private static let flow = "return { render = function(_, context) return context.props end }\n"
    private static let seeRun = see("run")

    private static func see(_ verb: String) -> String { "help: see workflow-run \(verb) --help\n" }

    @Test(arguments: [
        (
            ["flow.lua", "--foo"],
            "error: Unknown option '--foo'. Did you mean '--json'?\n" + seeRun
        ), (["--json"], "error: Missing expected argument '<flow>'\n" + seeRun),
        (["flow.lua", "more"], "error: Unexpected argument 'more'\n" + seeRun),
        (
            ["flow.lua", "--timeout", "x"],
            "error: The value 'x' is invalid for '--timeout <s>'\n" + seeRun
        ),
        (
            ["flow.lua", "--timeout", "0"],
            "error: --timeout takes a number of seconds above 0, up to 3155760000.\n" + seeRun
        ),
        (
            ["flow.lua", "--timeout", "1e300"],
            "error: --timeout takes a number of seconds above 0, up to 3155760000.\n" + seeRun
        ),
        (
            ["flow.lua", "--max-time", "1e300"],
            "error: --max-time takes a number of seconds from 0.001 to 1000000.\n" + seeRun
        ),
        (
            ["flow.lua", "--max-time", "0"],
            "error: --max-time takes a number of seconds from 0.001 to 1000000.\n" + seeRun
        ),
        (
            ["flow.lua", "--max-memory", "0"],
            "error: --max-memory takes a number of megabytes from 1 to 1000000.\n" + seeRun
        ),
        (
            ["flow.lua", "--max-instructions", "0"],
            "error: --max-instructions takes a number above 0.\n" + seeRun
        ), (["flow.lua", "--lenient"], "error: --lenient goes with --restore.\n" + seeRun),
        (
            ["explore", "flow.lua", "--max-megabytes", "0"],
            "error: --max-megabytes takes a number of megabytes from 1 to 1000000.\n"
                + see("explore")
        ),
        (
            ["explore", "flow.lua", "--max-states", "0"],
            "error: --max-states takes a number above 0.\n" + see("explore")
        ),
        (
            ["explore", "flow.lua", "--max-depth=-1"],
            "error: --max-depth takes a number from 0 on.\n" + see("explore")
        ),
        (
            ["explore", "flow.lua", "--max-seconds", "0"],
            "error: --max-seconds takes a number of seconds above 0, up to 3155760000.\n"
                + see("explore")
        ),
        (
            ["explore", "flow.lua", "--max-seconds", "1e300"],
            "error: --max-seconds takes a number of seconds above 0, up to 3155760000.\n"
                + see("explore")
        ),
        (
            ["explore", "flow.lua", "--json", "--graph", "dot"],
            "error: Only one of --json and --graph can be printed.\n" + see("explore")
        ),
        (
            ["explore", "flow.lua", "--worker-error", "http.get"],
            """
            error: not the name of a worker: http.get
            help: write --worker-error 'http.get=timed_out: too late'

            """
        ),
        (
            ["replay", "s.jsonl", "--to=-1"],
            "error: Steps are counted from 1; 0 is the beginning.\n" + see("replay")
        ),
        (
            ["replay", "s.jsonl", "--bisect", "true", "--skip", "1"],
            "error: --bisect and --skip do not go together.\n" + see("replay")
        ),
        (
            ["-", "--props", "-"],
            "error: Only one of the flow and --props can be standard input.\n" + seeRun
        ),
        (
            ["rn"],
            """
            error: 'rn' is neither a command nor a file. Did you mean 'run'?
            help: give the path of a flow, such as ./rn.lua, or see workflow-run --help

            """
        ),
        (
            ["flow"],
            """
            error: 'flow' is neither a command nor a file
            help: did you mean ./flow.lua? See workflow-run --help, too

            """
        ),
        (
            ["flow.lua", "--props", "{"],
            """
            error: the props are not JSON: --props, line 1, column 2: expected a key in double quotes, \
            found the end of the text
            help: write --props '{"name": "you"}' or --props @file.json

            """
        ),
        (
            ["flow.lua", "--props", "3"],
            """
            error: the props must be a JSON object, not an integer
            help: write --props '{"name": "you"}' or --props @file.json

            """
        ),
        (
            ["flow.lua", "--props", "@broken.json"],
            """
            error: the props are not JSON: broken.json, line 2, column 8: expected a value, found '}'
            help: write --props '{"name": "you"}' or --props @file.json

            """
        ),
    ]) func wrongCommandLineIsUsage(_ arguments: [String], _ stderr: String) async throws {
        let outcome = try await Folder(["flow.lua": Self.flow, "broken.json": "{\n  \"a\": }\n"])
            .run(arguments)
        #expect(outcome.stderr == stderr)
        #expect(outcome.stdout == "")
        #expect(outcome.status == 64)
    }

    @Test(arguments: [
        (
            ["none.lua"],
            """
            error: there is no file none.lua
            help: give the path of a flow file, such as Examples/hello/hello.lua

            """
        ),
        (
            ["./flwo.lua"],
            """
            error: there is no file ./flwo.lua
            help: did you mean ./flow.lua?

            """
        ),
        (
            ["."],
            """
            error: . is a folder, not a flow
            help: give a flow in it, such as ./flow.lua

            """
        ),
        (
            ["flow.lua", "--props", "@none.json"],
            """
            error: there is no file none.json
            help: write --props @file.json

            """
        ),
        (
            ["flow.lua", "--props", "@."],
            """
            error: . cannot be read: Is a directory
            help: write --props @file.json

            """
        ),
    ]) func missingFileIsNoInput(_ arguments: [String], _ stderr: String) async throws {
        let outcome = try await Folder(["flow.lua": Self.flow]).run(arguments)
        #expect(outcome.stderr == stderr)
        #expect(outcome.stdout == "")
        #expect(outcome.status == 66)
    }

    @Test(arguments: [
        (
            ["none.lua", "--json"],
            #"{"code":"file","help":"give the path of a flow file, such as Examples/hello/hello.lua","message":"there is no file none.lua"}"#,
            66
        ),
        (
            ["flow.lua", "--json", "--props", "3"],
            #"{"code":"props","help":"write --props '{\"name\": \"you\"}' or --props @file.json","message":"the props must be a JSON object, not an integer"}"#,
            64
        ),
        (
            ["flow.lua", "--json", "--props", "@none.json"],
            #"{"code":"file","help":"write --props @file.json","message":"there is no file none.json"}"#,
            66
        ),
    ]) func jsonSaysWhyNothingIsPlayed(_ arguments: [String], _ error: String, status: Int)
        async throws
    {
        let outcome = try await Folder(["flow.lua": Self.flow]).run(arguments)
        let events = try Events(outcome.stdout)
        #expect(events.types == ["error", "done"])
        #expect(events.text("error") == error)
        #expect(events.all.last?["reason"] == "error")
        #expect(events.all.last?["exit"] == .int(status))
        #expect(outcome.stderr == "")
        #expect(outcome.status == Int32(status))
    }

    @Test(arguments: [
        (["flow.lua", "--props", #"{"a": 1}"#], "", "rendering { a = 1 }\n"),
        (["--props", #"{"a": 1}"#, "flow.lua"], "", "rendering { a = 1 }\n"),
        (["run", "flow.lua", "--props", "@props.json"], "", "rendering { b = 2 }\n"),
        (["./flow.lua", "--props", "-"], #"{"c": 3}"#, "rendering { c = 3 }\n"),
        (["-", "--props", #"{"d": 4}"#], flow, "rendering { d = 4 }\n"),
    ]) func flowAndPropsComeFromWhereTheyMay(
        _ arguments: [String], _ input: String, _ stdout: String
    ) async throws {
        let outcome = try await Folder(["flow.lua": Self.flow, "props.json": #"{"b": 2}"#])
            .run(arguments, input: input)
        #expect(outcome.stdout == stdout)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test func moduleThatIsAPipeIsRefused() async throws {
        let scene = try Folder([
            "flow.lua": "local out = require \"out\"\nreturn { render = function() end }\n"
        ])
        #expect(mkfifo(scene.path("out.lua"), 0o600) == 0)
        let outcome = try await scene.run("flow.lua")
        #expect(
            outcome.stderr.hasPrefix(
                """
                error: module 'out' cannot be loaded: out.lua cannot be read: it is not a regular file
                """))
        #expect(outcome.status == 65)
    }

    @Test func moduleThatALinkLeadsToIsRefused() async throws {
        let scene = try Folder([
            "flow.lua": "local out = require \"out\"\nreturn { render = function() end }\n"
        ])
        try FileManager.default.createSymbolicLink(
            atPath: scene.path("out.lua"), withDestinationPath: "/etc/passwd")
        let outcome = try await scene.run("flow.lua")
        #expect(
            outcome.stderr.hasPrefix(
                """
                error: module 'out' cannot be loaded: out.lua is a link out of the flow's folder
                  ┌─ flow.lua:1

                """))
        #expect(outcome.status == 65)
    }

    @Test func textThatIsNoUTF8IsSaidToBeNone() async throws {
        let scene = try Folder(["flow.lua": Self.flow])
        try Data([0xFF]).write(to: scene.url.appendingPathComponent("latin.json"))
        let props = try await scene.run("flow.lua", "--props", "@latin.json")
        #expect(
            props.stderr == """
                error: the props are not UTF-8 text: latin.json
                help: save them as UTF-8

                """)
        #expect(props.status == 64)
        let program = try await scene.start(["-"])
        program.write(bytes: [0xFF])
        let flow = try await program.finish()
        #expect(
            flow.stderr == """
                error: the flow on standard input is not UTF-8 text
                help: save it as UTF-8

                """)
        #expect(flow.status == 66)
    }

    @Test func errorsOfAFlowFromStandardInputNameIt() async throws {
        let outcome = try await Folder().run("-", input: "return 3\n")
        #expect(
            outcome.stderr == """
                error: a flow returns a table with a render function, not an integer
                  ┌─ stdin.lua
                help: end the file with: return { render = function(state, context) … end }

                """)
        #expect(outcome.status == 65)
    }

    @Test(arguments: [["--help"], ["-h"], ["run", "--help"], ["help"]])
    func helpShowsAnExampleFirst(_ arguments: [String]) async throws {
        let outcome = try await Folder().run(arguments, environment: ["COLUMNS": "80"])
        let lines = outcome.stdout.split(separator: "\n")
        let example = try #require(lines.firstIndex { $0.contains("Examples/todo/todo.lua") })
        #expect(example <= 1)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test func versionIsPrinted() async throws {
        let outcome = try await Folder().run("--version")
        #expect(outcome.stdout == RootCommand.versionText(of: LuaVM.release) + "\n")
        #expect(outcome.status == 0)
    }

    @Test func versionWarnsOfALuaWhoseBugsCanHarmTheHost() {
        #expect(RootCommand.versionText(of: "5.4.8") == "workflow-run 0.1.0 (Lua 5.4.8)")
        #expect(
            RootCommand.versionText(of: "5.4.0") == """
                workflow-run 0.1.0 (Lua 5.4.0)
                warning: this Lua has bugs by which a flow can harm its host: a collection of garbage can free \
                what is in use; a coroutine that has failed can be resumed, with values from outside of its stack
                help: use Lua 5.4.4, or 5.4.6 or later
                """)
    }
}
