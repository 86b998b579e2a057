import Foundation
import LuaSyntax
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowLua
@testable import WorkflowCommand

@Suite struct TypesTests {
    private static let worker = WorkerDefinition(
        name: "http-2.get", summary: "Gets\nsomething.",
        input: .record([
            .init("url", .string), .init("x-y", .optional(.choice(["a", "b"]))),
            .init("tags", .optional(.list(.map(.integer)))),
        ]), output: .list(.any), body: { _, _, _ in })

    private static let text = TypesWriter(
        workers: StandardPlugins.compiledIn.flatMap(\.workers) + [worker]
    ).text

    @Test func annotationsAreThoseOfTheLanguageServer() {
        let grammar = AnnotationGrammar(Self.text)
        #expect(grammar.faults == [])
        #expect(grammar.unknown == [])
    }

    @Test(arguments: [
        "---@class", "---@param x", "---@field a fun(", "---@return table<string", "---@foo bar",
        "---@alias a string|", "---@overload fun(a: b) c", "---@field [\"a string",
    ]) func grammarFindsFaults(_ line: String) { #expect(AnnotationGrammar(line).faults == [line]) }

    @Test func definitionsAreTheGoldenOnes() throws {
        let text = TypesWriter(workers: StandardPlugins.compiledIn.flatMap(\.workers)).text
        #expect(try GoldenPage("workflow.lua").difference(from: text) == nil)
    }

    @Test func definitionsAreLua() throws {
        let source = try LuaSource(Array(Self.text.utf8))
        #expect(source.main.returns.count == 1)
        let names = source.fields.map(\.name)
        for member in ["render", "sink", "run", "random", "expect_rendering", "concat"] {
            #expect(names.contains(member))
        }
    }

    @Test func aFlowHasClassesOfItsStatePropsAndActions() throws {
        let folder = try Folder([
            "todo-list.lua": """
            local Todo = { name = "todo-list" }
            function Todo.state(props)
                return { items = {}, next_id = 1, filter = "all", draft = nil, title = props.title }
            end
            Todo.apply = {
                add = function(state, action)
                    assert(type(action.text) == "string", "add needs a text")
                    table.insert(state.items, { id = state.next_id, text = action.text })
                    state.next_id = state.next_id + 1
                    state.draft = "none"
                end,
                rang = function(state, action) state.elapsed = action.output.seconds end,
                failed = function(state, action) state.problem = action.error.message end,
                ["clear-all"] = function(state) state.items = { "a", "b" } end,
            }
            function Todo.render(state, context)
                context:run("clock.after", { seconds = context.props.wait or 1 },
                    { on_output = "rang", on_error = "failed" })
                return {
                    items = state.items, elapsed = state.elapsed, problem = state.problem,
                    filter = state.filter, draft = state.draft, title = state.title,
                    add = context:sink("add", { by = 1 }),
                }
            end
            return Todo

            """
        ])
        let types = try FlowTypesWriter(
            folder.path("todo-list.lua"), registry: try WorkerRegistry(StandardPlugins.compiledIn))
        #expect(types.name == "todo_list")
        let grammar = AnnotationGrammar(types.text)
        #expect(grammar.faults == [])
        #expect(try GoldenPage("flow-types.txt").difference(from: types.text) == nil)
    }

    @Test func whatIsNotAFlowHasNoClasses() throws {
        let folder = try Folder(["module.lua": "return 1"])
        let error = #expect(throws: FlowError.self) {
            try FlowTypesWriter(folder.path("module.lua"), registry: WorkerRegistry())
        }
        #expect(error?.message.hasSuffix("module.lua does not show a definition") == true)
    }

    @Test func workersAreOverloadsOfRun() {
        let lines = Self.text.split(separator: "\n").map(String.init)
        let expected = [
            "---Gets something.",
            "---@class worker.http_2.get.Input",
            "---@field url string",
            "---@field [\"x-y\"] (\"a\"|\"b\")?",
            "---@field tags? table<string, integer>[]",
            "---@alias worker.http_2.get.Output any[]",
            "---@field on_output string|(fun(output: worker.http_2.get.Output): any)?",
            "---@overload fun(self: workflow.RenderContext, worker: \"http-2.get\", input: worker.http_2.get.Input, options?: worker.http_2.get.Options)",
            "---@overload fun(self: workflow.RenderContext, worker: \"clock.after\", input: worker.clock.after.Input, options?: worker.clock.after.Options)",
        ]
        for line in expected { #expect(lines.contains(line), "\(line)") }
    }

    @Test func globalsAreThoseOfTheSandbox() throws {
        let flow = try LuaFlow(source: "return { render = function() end }")
        func names(_ table: String) throws -> Set<String> {
            let value = try flow.value(
                of:
                    "(function() local n = {} for k in pairs(\(table)) do n[#n + 1] = k end return n end)()"
            )
            return Set((value.list ?? []).compactMap(\.string))
        }
        #expect(try names("_ENV") == HostAPI.globalNames)
        for library in HostAPI.libraries {
            #expect(try names(library.name) == Set(library.names), "\(library.name)")
        }
        for name in HostAPI.absent.keys {
            #expect(try flow.value(of: "rawget(_ENV, '\(name)')") == .null, "\(name)")
        }
    }

    @Test func unknownGlobalsAreErrorsUnlessSomeLuaHasThem() throws {
        let flow = try LuaFlow(source: "return { render = function() end }")
        for name in HostAPI.namesElsewhere.subtracting(HostAPI.forLibraries) {
            #expect(try flow.value(of: name) == .null, "\(name)")
        }
        for name in HostAPI.forLibraries {
            #expect(try flow.value(of: "\(name) ~= nil") == true, "\(name)")
        }
        let unknown = Set(HostAPI.absent.keys).subtracting(HostAPI.namesElsewhere)
        #expect(unknown.isSuperset(of: ["None", "null", "undefined", "workflow", "self"]))
        for name in unknown {
            let error = #expect(throws: FlowError.self) { try flow.value(of: name) }
            #expect(error?.message == "there is no global '\(name)'")
        }
    }

    @Test(
        arguments: HostAPI.groups.flatMap { group in
            group.members.compactMap { member in member.example.map { (member.name, $0) } }
        })
    func exampleUsesWhatIsDescribed(_ name: String, _ example: String) throws {
        let files = [
            "example_test.lua": example, "item.lua": "return { render = function() end }",
            "counter.lua": "return { apply = { increment = print }, render = function() end }",
            "alarm.lua": "return { render = function() end }",
        ]
        let problems = try Folder(files).problems(["example_test.lua"])
        // An example shows one thing and leaves values unused.
        #expect(problems.filter { !$0.contains("is not used") } == [])
        let methods = try LuaSource(Array(example.utf8)).calls.compactMap(\.method)
        let known = HostAPI.groups.flatMap(\.names)
        for method in methods { #expect(known.contains(method)) }
    }

    @Test func definitionsAreWrittenInPlaceOfEarlierOnes() async throws {
        let scene = try Folder()
        for _ in 1...2 {
            let outcome = try await scene.run("types", "--output", "types")
            #expect(outcome.stdout == "wrote types/workflow.lua\n")
            #expect(outcome.status == 0)
        }
        let printed = try await scene.run("types")
        let written = try String(
            contentsOf: scene.url.appendingPathComponent("types/workflow.lua"), encoding: .utf8)
        #expect(written == printed.stdout)
        #expect(written.hasPrefix("---@meta workflow\n"))
    }

    @Test func fileOfSomebodyElseIsNotReplaced() async throws {
        let scene = try Folder(["workflow.lua": "return 1"])
        let outcome = try await scene.run("types", "--output", ".")
        #expect(
            outcome.stderr == """
                error: ./workflow.lua is there and was not made by workflow-run types
                help: choose another folder, or move the file away

                """)
        #expect(outcome.status == 64)
    }

    @Test func folderThatCannotBeMadeIsSaid() async throws {
        let outcome = try await Folder().run("types", "--output", "a/b")
        #expect(outcome.stderr == "error: a/b cannot be written: No such file or directory\n")
        #expect(outcome.status == 74)
    }
}
