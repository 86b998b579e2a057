import FlowPrinting
import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@testable import WorkflowCommand

@Suite struct GrantTests {
    /// Three workers in three states, one with an input that only playing shows.
    private static let files = [
        "flows/three.lua": """
        local fetch = require "parts.fetch"
        local Flow = { name = "three", state = { step = 1 } }
        Flow.apply = {
            next = function(state) state.step = state.step + 1 end,
            done = function(state) return { steps = state.step } end,
        }
        function Flow.render(state, context)
            if state.step == 1 then
                context:run("file.read", { path = context.props.path or "a.txt" }, { on_output = "next" })
            elseif state.step == 2 then
                context:run("process.run", { program = "true" }, { on_output = "next" })
            else
                fetch(context)
            end
            return { step = state.step }
        end
        return Flow
        """,
        "flows/parts/fetch.lua": """
        local to = "b.txt"
        return function(context)
            context:run("file.write", { path = to, content = "x" }, { on_output = "done" })
        end
        """, "flows/a.txt": "a",
    ]

    private func options(in text: String) -> [String] {
        text.matches(of: /--allow ('[^']*'|[^\s;@"]+)/).flatMap { match in
            ["--allow", match.1.trimmingCharacters(in: ["'"])]
        }
    }

    @Test func whatIsMissingIsListedAtOnceAndCopied() async throws {
        let scene = try Folder(Self.files)
        let first = try await scene.run("flows/three.lua")
        #expect(first.status == 69)
        let folder = try #require(FilePath.realPath(of: scene.path)) + "/flows"
        #expect(
            first.stderr.contains(
                "help: grant what the flow needs with --allow file.read=\(folder)/a.txt "
                    + "--allow process=true --allow file.write=\(folder)/b.txt\n"))
        let second = try await scene.run(["flows/three.lua"] + options(in: first.stderr))
        // The library that starts processes may say at the end that it was not done with one.
        #expect(!second.stderr.contains("error: "), "\(second.stderr)")
        #expect(second.status == 0)
        #expect(second.stdout.contains("{ steps = 3 }"))
    }

    @Test func listIsTheSameInJSONAndInTheREPL() async throws {
        let scene = try Folder(Self.files)
        let json = try await scene.run("flows/three.lua", "--json")
        let repl = try await scene.run("repl", "flows/three.lua")
        let text = try await scene.run("flows/three.lua")
        #expect(options(in: json.stdout) == options(in: text.stderr))
        #expect(options(in: repl.stderr) == options(in: text.stderr))
    }

    @Test func targetThatOnlyALaterStateTellsIsSaid() async throws {
        let scene = try Folder([
            "late.lua": """
            local Flow = { name = "late", state = { path = false } }
            Flow.apply = { open = function(state, action) state.path = action.path end }
            function Flow.render(state, context)
                context:run("process.run", { program = "true" })
                if state.path then context:run("file.read", { path = state.path }) end
                return {}
            end
            return Flow
            """
        ])
        let outcome = try await scene.run("late.lua")
        #expect(
            outcome.stderr.contains(
                "grant what the flow needs with --allow process=true --allow file.read; which file it "
                    + "is turns out only when late.lua:5 runs, so --allow file.read grants them all"
            ))
        let granted = try await scene.run("late.lua", "--allow", "file=late.txt")
        #expect(granted.stderr.contains("grant it with --allow process=true\n"))
    }

    @Test func pathsOfGrantsStartAtTheCurrentFolder() async throws {
        let scene = try Folder(Self.files)
        let granted = ["--allow", "process=true", "--allow", "file.write=flows"]
        let inFlow = try await scene.run(
            ["flows/three.lua", "--allow", "file.read=a.txt"] + granted)
        #expect(inFlow.status == 64)
        let inCurrent = try await scene.run(
            ["flows/three.lua", "--allow", "file.read=flows/a.txt"] + granted)
        #expect(inCurrent.status == 0)
        #expect(inCurrent.stderr == "")
    }

    @Test func fileOfGrantsCountsFromItsFolder() async throws {
        var files = Self.files
        files["flows/grants"] = """
            # What three.lua needs.
            file.read=a.txt

            process=true
            file.write=.
            """
        let scene = try Folder(files)
        let without = try await scene.run("flows/three.lua")
        #expect(without.status == 69)
        #expect(
            without.stderr.contains(
                "--allow @flows/grants grants what the list beside the flow says"))
        let with = try await scene.run("flows/three.lua", "--allow", "@flows/grants")
        #expect(with.status == 0)
        #expect(with.stderr == "")
    }

    @Test(arguments: [
        (
            "file.raed=a",
            "'file.raed=a' grants 'file.raed', which no worker asks for. Did you mean "
                + "'file.read'?"
        ), ("network=x", "'network=x' grants 'network', which no worker asks for"),
        ("http=a b", "'a b' is not the name of a host"),
        ("http=https://example.com/", "'https://example.com/' is not the name of a host"),
        ("file.read=", "the grant 'file.read=' has no target after '='"),
        ("=x", "'=x' is not a grant"),
        ("file.read=nowhere/../x", "the path of the grant 'file.read=nowhere/../x' leads nowhere"),
        ("file.read=nowhere", "the path of the grant 'file.read=nowhere' does not exist"),
        ("file=nowhere/x", "the path of the grant 'file=nowhere/x' does not exist"),
        ("process=./nowhere", "the path of the grant 'process=./nowhere' does not exist"),
        ("file.read=~/x", "in 'file.read=~/x' the shell leaves '~' as it is"),
        ("@nowhere", "the grants in nowhere cannot be read: No such file or directory"),
        ("@list", "list:2: 'wrong' grants 'wrong', which no worker asks for"),
    ]) func grantThatCannotBeMeantIsRefused(_ grant: String, _ message: String) async throws {
        let scene = try Folder([
            "flow.lua": "return { render = function() return {} end }", "list": "process\nwrong\n",
        ])
        let outcome = try await scene.run("flow.lua", "--allow", grant)
        #expect(outcome.stdout == "")
        let line = outcome.stderr.split(separator: "\n").first ?? ""
        #expect(
            line == "error: --allow: \(message)" || line == "error: \(message)", "\(outcome.stderr)"
        )
        #expect(outcome.stderr.contains("\nhelp: "))
        #expect(outcome.status == 64 || outcome.status == 66)
    }

    @Test func kindOfAnotherPluginIsKnown() throws {
        let registry = WorkerRegistry()
        let need = WorkerDefinition(
            name: "lamp.on", summary: "", needs: ["light={room}"]
        ) { _, _, _ in }
        try registry.register(Plugin("lamp", version: "1", definitions: [need]))
        try registry.check(Grant("light", "hall"))
        try registry.check(Grant("lamp.color"))
        try registry.check(Grant("http"))
        #expect(throws: WorkerError.self) { try registry.check(Grant("lihgt", "hall")) }
        #expect(throws: WorkerError.self) { try registry.check(Grant("file.raed")) }
    }

    @Test func auditHasEachAccess() async throws {
        let scene = try Folder(Self.files)
        let granted = ["--allow", "file.read=flows", "--allow", "process=true"]
        let outcome = try await scene.run(["flows/three.lua", "--audit", "log"] + granted)
        #expect(outcome.status == 65 || outcome.status == 69)
        let text = try String(contentsOf: scene.url.appendingPathComponent("log"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try Value(json: String($0)) }
        let decisions = lines.map { line in
            "\(line["worker"]?.string ?? "") \(line["access"]?.string ?? "") \(line["granted"] ?? .null)"
        }
        let folder = try #require(FilePath.realPath(of: scene.path)) + "/flows"
        #expect(decisions.first == "file.read file.read=\(folder)/a.txt true")
        #expect(decisions.contains("process.run process=true true"))
        #expect(decisions.last == "file.write file.write=\(folder)/b.txt false")
        #expect(lines.allSatisfy { $0["at"]?.string?.hasSuffix("Z") == true })
    }

    @Test func auditThatCannotBeWrittenIsRefused() async throws {
        let scene = try Folder(Self.files)
        let outcome = try await scene.run("flows/three.lua", "--audit", "no/log")
        #expect(
            outcome.stderr
                == "error: --audit: no/log cannot be written: No such file or directory\n")
        #expect(outcome.status == 74)
    }

    // MARK: At a terminal

    #if canImport(Glibc)
        private static let question = "Grant it? [o]nce, [a]lways for this flow as it is, [n]o: "

        private func flatScene() throws -> Folder {
            var files: [String: String] = [:]
            for (path, text) in Self.files {
                let name = path.dropFirst("flows/".count)
                files[name == "three.lua" ? "flow.lua" : String(name)] = text
            }
            return try Folder(files)
        }

        private func state(of scene: Folder) -> [String: String] {
            ["XDG_STATE_HOME": scene.path("state")]
        }

        private func terminal(_ scene: Folder) async throws -> ProgramTerminal {
            try await ProgramTerminal(
                [scene.path("flow.lua")], home: scene,
                environment: ["TERM": "dumb"].merging(state(of: scene)) { $1 })
        }

        @Test func personIsAskedEachTimeForOnce() async throws {
            let scene = try flatScene()
            for _ in 0..<2 {
                let terminal = try await terminal(scene)
                #expect(try await terminal.text(to: Self.question).contains("process=true"))
                terminal.type("perhaps\n")
                _ = try await terminal.text(to: Self.question)
                terminal.type("o\n")
                #expect(await terminal.rest().contains("finished with { steps = 3 }"))
                #expect(try await terminal.status() == 0)
            }
        }

        @Test func noIsTheErrorOfARunWithoutAPerson() async throws {
            let terminal = try await terminal(flatScene())
            _ = try await terminal.text(to: Self.question)
            terminal.type("n\n")
            let rest = await terminal.rest()
            #expect(rest.contains("is not granted") && rest.contains("help: grant what"))
            #expect(try await terminal.status() == 69)
        }

        @Test func alwaysHoldsUntilAFileIsAnother() async throws {
            let scene = try flatScene()
            let terminal = try await terminal(scene)
            _ = try await terminal.text(to: Self.question)
            terminal.type("always\n")
            #expect(await terminal.rest().contains("finished with"))
            #expect(try await terminal.status() == 0)

            func status(_ environment: [String: String]) async throws -> Int32 {
                try await scene.run(["flow.lua"], environment: environment).status
            }
            #expect(try await status(state(of: scene)) == 0)
            #expect(try await status(["XDG_STATE_HOME": scene.path("other")]) == 69)
            let module = scene.url.appendingPathComponent("parts/fetch.lua")
            let text = try String(contentsOf: module, encoding: .utf8)
            try (text + "-- another\n").write(to: module, atomically: false, encoding: .utf8)
            #expect(try await status(state(of: scene)) == 69)
            try text.write(to: module, atomically: false, encoding: .utf8)
            #expect(try await status(state(of: scene)) == 0)
            let more = scene.url.appendingPathComponent("more.lua")
            try "".write(to: more, atomically: false, encoding: .utf8)
            #expect(try await status(state(of: scene)) == 69)
        }
    #endif
}
