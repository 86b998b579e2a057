import TestSupport
import Testing

/// Places in files of flows are told as terminals and editors open them.
@Suite struct PlaceTests {
    private let files = [
        "flows/flow.lua": """
        local add = require "lib.add"
        print("loaded")
        return {
            state = { n = 0 },
            apply = { add = function(state, action) state.n = add(state.n, action.by) end },
            render = function(state) return { n = state.n } end,
        }
        """, "flows/lib/add.lua": "return function(a, b)\n    return a + b\nend\n",
    ]

    @Test func errorsAndLogLinesAreRelativeToTheCurrentFolder() async throws {
        let scene = try Folder(files)
        let outcome = try await scene.run("flows/flow.lua", "--quiet", input: "add\n")
        #expect(outcome.stderr.hasPrefix("flows/flow.lua:2: loaded\n"))
        #expect(outcome.stderr.contains("┌─ flows/lib/add.lua:2\n"))
        #expect(outcome.stderr.contains("called from flows/flow.lua:5"))
        let same = try await scene.run("./flows/flow.lua", "--quiet", input: "add\n")
        #expect(same.stderr.contains("┌─ ./flows/lib/add.lua:2\n"))
        let trace = try await scene.run("repl", "flows/flow.lua", input: "add\n.trace\n")
        #expect(trace.stderr.hasPrefix("flows/flow.lua:2: loaded\n"))
        #expect(trace.stderr.contains("(local 'b')  flows/lib/add.lua:2\n"))
        #expect(trace.stdout.contains("┌─ flows/lib/add.lua:2\n"))
        #expect(trace.stdout.contains("called from flows/flow.lua:5"))
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\n\r"])
    func linesCountAsLuaCountsThem(end: String) async throws {
        let lines = [
            "local flow = {}", "function flow.render(state)", "    return { a = state.x.y }", "end",
            "return flow", "",
        ]
        let scene = try Folder(["flow.lua": lines.joined(separator: end)])
        let outcome = try await scene.run("flow.lua")
        #expect(outcome.stderr.contains("\n  ┌─ flow.lua:3"))
        #expect(
            outcome.stderr.contains(
                """

                2 │ function flow.render(state)
                3 │     return { a = state.x.y }

                """))
        let checked = try await scene.run("check", "flow.lua")
        #expect(checked.status == 0 || checked.stdout.hasPrefix("flow.lua:3:"))
    }

    private static let generated = """
        local add = require "lib.add"
        local Flow = {}

        function Flow.render() return { n = add(1) } end
        return Flow

        """

    private static func map(_ mappings: String, _ source: String = "flow.fnl") -> String {
        #"{"version":3,"sources":["\#(source)"],"names":[],"mappings":"\#(mappings)"}"#
    }

    @Test func anErrorInAFileThatACompilerMadeNamesTheSourceByTheMapBesideIt() async throws {
        let scene = try Folder([
            "flows/flow.lua": Self.generated, "flows/flow.lua.map": Self.map("AAAA;AACA;;AAEA"),
            "flows/lib/add.lua": "local M = 1\nreturn function(a, b)\n  return a + b\nend\n",
            "flows/lib/add.lua.map": Self.map("AAAA,EAAA;AAGA,CACA;", "add.tl"),
        ])
        let outcome = try await scene.run("flows/flow.lua")
        #expect(outcome.stderr.contains("┌─ flows/lib/add.lua:3"))
        #expect(outcome.stderr.contains("= made from lib/add.tl:4\n"))
        try scene.write("return function() error('no') end\n", to: "flows/lib/add.lua")
        let other = try await scene.run("flows/flow.lua")
        #expect(other.stderr.contains("= made from lib/add.tl:1\n"))
    }

    @Test(
        arguments: [
            "", "{", "[]", "{}", #"{"version":3}"#,
            #"{"version":2,"sources":["a"],"mappings":"AAAA"}"#,
            map(""), map(";;;"), map("A;A;A;A"), map("AAA"), map("AAAAg"), map("AAAA!"),
            map("gggggggggggggggggggg"), map("AA///////HAA"), map("AEAA;AAAA"), map("AADA"),
            map("AAAA", ""), #"{"version":3,"sources":[1],"mappings":"AAAA"}"#,
        ])
    func aMapThatIsDamagedOrTellsNothingChangesNoError(map: String) async throws {
        let flow = "local Flow = {}\nfunction Flow.render() error('no') end\nreturn Flow\n"
        let plain = try await Folder(["flow.lua": flow]).run("flow.lua")
        let outcome = try await Folder(["flow.lua": flow, "flow.lua.map": map]).run("flow.lua")
        #expect(outcome.stderr.replacing(#/ {2}= made from .*\n/#, with: "") == plain.stderr)
        #expect(outcome.status == plain.status)
    }

    @Test func flowThatCannotBeLoadedHasItsPlaceToo() async throws {
        let scene = try Folder(["flows/flow.lua": "return {\n"])
        let outcome = try await scene.run("flows/flow.lua")
        #expect(outcome.stderr.contains("┌─ flows/flow.lua:"))
        #expect(outcome.status == 65)
    }

    @Test func pathsStandBesideNamesInJSON() async throws {
        let scene = try Folder(files)
        let request = #"{"do":"send","action":"add"}"# + "\n"
        let outcome = try await scene.run("flows/flow.lua", "--json", input: request)
        #expect(
            outcome.stdout.contains(
                #""location":{"file":"lib/add.lua","line":2,"path":"flows/lib/add.lua"}"#))
        #expect(
            outcome.stdout.contains(
                #""location":{"file":"flow.lua","line":2,"path":"flows/flow.lua"}"#))
        // In the current folder a name is a path.
        let plain = try Folder([
            "flow.lua": "print('loaded')\nreturn { render = function() return 1 end }"
        ])
        let here = try await plain.run("flow.lua", "--json")
        #expect(here.stdout.contains(#""location":{"file":"flow.lua","line":1},"#))
    }
}
