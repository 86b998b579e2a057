import Foundation
import TestSupport
import Testing
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowLua
@testable import WorkflowCommand

@Suite struct CheckTests {
    /// A flow whose `render` has these lines, from line 4 on.
    private static func flow(_ lines: String) -> String {
        """
        local Flow = { state = { n = 0, key = "", worker = "", input = {}, options = {} } }
        Flow.apply = { add = function(state, action, context) end, remove = function() end }
        function Flow.render(state, context) do
        \(lines)
        end return 1 end
        return Flow
        """
    }

    @Test func globalsThatFlowsDoNotHaveAreExplained() throws {
        let names = HostAPI.absent.keys.sorted()
        let lines = names.map { "print(\($0))" }.joined(separator: "\n")
        let problems = try Folder([
            "flow.lua": "return { render = function()\n\(lines)\nreturn 1 end }"
        ]).problems()
        #expect(problems.count == names.count)
        let page = GoldenPage("absent-globals.txt")
        #expect(try page.difference(from: problems.joined(separator: "\n") + "\n") == nil)
    }

    @Test(arguments: [
        ("context:render(Own)", "Own"), ("context:render(Own, {})", "Own"),
        ("context:render(Own, {}, { key = 'a' })", "Own"),
        ("context:render(Module)", "Module"), ("context:render(Whole)", "Whole"),
        ("context:render(require('child'))", "the child"),
        ("context:render(Own, {}, { on_output = 'add' })", nil),
        ("context:render(Own, {}, state.options)", nil),
        ("context:render(Own, {}, { [state.n] = 1 })", nil),
        ("context:render(Silent)", nil), ("context:render(Perhaps)", nil),
    ])
    func childWhoseOutputsNobodyTakesIsFound(call: String, name: String?) throws {
        let flow = """
            local Own = { render = function() return 1 end }
            Own.apply = { done = function() return { ok = true } end }
            local Module = require("child")
            local Whole = { render = Own.render, apply = function(state, action) return "x" end }
            local Silent = { render = Own.render, apply = { done = function() return nil end } }
            local Perhaps = { render = Own.render, apply = { done = function(s) return s.x end } }
            local Flow = { state = { n = 0, options = {} }, apply = { add = function() end } }
            function Flow.render(state, context)
                return { \(call), Module and 1 }
            end
            return Flow
            """
        let child = """
            return { render = function() return 1 end,
                apply = { go = function(state) if state then return 1 end end } }
            """
        let problems = try Folder(["flow.lua": flow, "child.lua": child]).problems()
        #expect(
            problems
                == name.map {
                    [
                        "flow.lua:9:22: nobody takes what \($0) gives; render it with { on_output = … }"
                    ]
                } ?? [])
    }

    @Test func aChildThatDecidesWhoMayDoWhatIsNotAsked() throws {
        let flow = """
            local Child = require "child"
            local Flow = { access = function(who, what, state, props) return true end }
            function Flow.render(state, context)
                return { context:render(Child, {}) }
            end
            return Flow
            """
        let child = """
            return { render = function() return 1 end, access = function() return true end }
            """
        #expect(
            try Folder(["flow.lua": flow, "child.lua": child]).problems() == [
                "flow.lua:4:29: the access of Child is not asked, as it is a child; let that of the flow's root decide"
            ])
    }

    @Test func parametersOfAccessInAnotherOrderAreReported() throws {
        let flow = """
            return {
                render = function(state, context) return {} end,
                access = function(what, principal) return true end,
            }
            """
        #expect(
            try Folder(["flow.lua": flow]).problems() == [
                "flow.lua:3:23: access is called with (principal, what, state, props); 'what' stands in the place of 'principal'"
            ])
    }

    @Test func byteOrderMarkIsSkipped() throws {
        let folder = try Folder([
            "flow.lua": "\u{FEFF}" + Self.flow("os.exit()"),
            "good.lua": "\u{FEFF}" + Self.flow("return { n = state.n }"),
            "item.lua": "\u{FEFF}return }", "types.lua": "\u{FEFF}---@meta\nos.exit()",
        ])
        let problems = try folder.problems()
        #expect(problems.map { $0.prefix { $0 != " " } } == ["flow.lua:4:1:", "item.lua:1:"])
    }

    @Test func fileThatIsTooLargeIsNotParsed() throws {
        let folder = try Folder([
            "huge.lua": String(repeating: "x = 1\n", count: 1_000_000),
            "types.lua": "---@meta\n" + String(repeating: "-- x\n", count: 20_000),
        ])
        var problems: [String] = []
        let time = try threadTime { problems = try folder.problems() }
        #expect(problems == ["huge.lua: the source text has more than 65536 bytes"])
        #expect(time < .seconds(1) * slowness)
    }

    @Test func pipeInAFolderIsNotWaitedFor() throws {
        let folder = try Folder(["flow.lua": Self.flow("local _ = require 'pipe'")])
        #expect(mkfifo(folder.path("pipe.lua"), 0o600) == 0)
        #expect(
            try folder.problems() == [
                "pipe.lua: the file cannot be read: it is not a regular file"
            ])
        #expect(
            try folder.problems(["flow.lua", "pipe.lua"]) == [
                "pipe.lua: the file cannot be read: it is not a regular file"
            ])
    }

    /// In a separate process: root reads the folder too, and who gives root up cannot be it again.
    @Test func folderThatMayNotBeReadIsAProblem() async throws {
        let folder = try Folder(["secret/flow.lua": "", "item.lua": "return {}"], in: "/tmp")
        let (path, secret) = (folder.path, folder.path("secret"))
        // All but the one may be read by everybody.
        chmod(path, 0o755)
        chmod(secret, 0)
        defer { chmod(secret, 0o700) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65_534) }
            var check = try Check([path], registry: WorkerRegistry())
            #expect(
                check.run().map(\.text) == [
                    "\(path)/secret: the folder cannot be read: Permission denied"
                ])
        }
    }

    @Test(arguments: [
        (
            "return { context:sink(\"ad\") }",
            ["flow.lua:4:23: flow has no action 'ad'. Did you mean 'add'?"]
        ),
        (
            "return { context:sink \"clear\" }",
            ["flow.lua:4:23: flow has no action 'clear'; its actions are add, remove"]
        ),
        (
            "context:run('clock.after', { seconds = 1 }, { on_output = 'ad', on_error = 'remove', on_finish = 'addd' })",
            [
                "flow.lua:4:59: flow has no action 'ad'. Did you mean 'add'?",
                "flow.lua:4:98: flow has no action 'addd'. Did you mean 'add'?",
            ]
        ),
        (
            "context:run('clock.after', { seconds = 1 }, { on_output = function(o) if o then return 'ad' end return { type = 'ad' } end })",
            [
                "flow.lua:4:88: flow has no action 'ad'. Did you mean 'add'?",
                "flow.lua:4:104: flow has no action 'ad'. Did you mean 'add'?",
            ]
        ),
        (
            "context:run('clock.aftr', {})",
            ["flow.lua:4:13: there is no worker 'clock.aftr'. Did you mean 'clock.after'?"]
        ),
        (
            "context:run('greeter.greet', {})",
            [
                "flow.lua:4:13: there is no worker 'greeter.greet'; load the plugin that offers it into the WorkerRegistry"
            ]
        ),
        (
            "context:run('clock.after', { secnds = 1 })",
            [
                "flow.lua:4:28: worker 'clock.after': the field 'seconds' is missing; it is a number",
                "flow.lua:4:30: worker 'clock.after': there is no field 'secnds'. Did you mean 'seconds'?",
            ]
        ),
        (
            "context:run('clock.after', { seconds = '1' })",
            ["flow.lua:4:40: worker 'clock.after': expected a number, found a string at seconds"]
        ),
        (
            "context:run('clock.after', { seconds = { 1 } })",
            ["flow.lua:4:40: worker 'clock.after': expected a number, found a table at seconds"]
        ),
        (
            "context:run('clock.after', { seconds = function() end })",
            ["flow.lua:4:40: worker 'clock.after': a function is not a plain value at seconds"]
        ),
        (
            "context:run('clock.after')",
            ["flow.lua:4:13: worker 'clock.after': the field 'seconds' is missing; it is a number"]
        ),
        (
            "context:run('clock.after', 5)",
            ["flow.lua:4:28: worker 'clock.after': expected a record, found an integer"]
        ),
        (
            "context:run('clock.after', { seconds = 1 }, { on_outptu = 'add' })",
            ["flow.lua:4:47: context:run has no option 'on_outptu'. Did you mean 'on_output'?"]
        ),
        (
            "return context:render(Flow, {}, { id = 3 })",
            ["flow.lua:4:35: context:render has no option 'id'; its options are key, on_output"]
        ),
        (
            "return context:rendr(Flow)",
            ["flow.lua:4:16: a context has no function 'rendr'. Did you mean 'render'?"]
        ),
        ("return context.prop", ["flow.lua:4:16: a context has no 'prop'. Did you mean 'props'?"]),
        (
            "if dnoe then return 1 end local done = not tabel",
            [
                "flow.lua:4:4: there is no global 'dnoe'. Did you mean 'done'?",
                "flow.lua:4:44: there is no global 'tabel'. Did you mean 'table'?",
            ]
        ),
        (
            "if state.n == undef or undef2 then undef2.x() end",
            [
                "flow.lua:4:15: there is no global 'undef'; declare it local, above where it is used",
                "flow.lua:4:24: there is no global 'undef2'; declare it local, above where it is used",
                "flow.lua:4:36: there is no global 'undef2'; declare it local, above where it is used",
            ]
        ),
        (
            "return tabel.concat({})",
            ["flow.lua:4:8: there is no global 'tabel'. Did you mean 'table'?"]
        ),
        (
            "return os.time()",
            [
                "flow.lua:4:8: 'os' is there for libraries: the time is context.now in apply; the rest is for workers"
            ]
        ), ("return string.dump", ["flow.lua:4:15: string has no 'dump'"]),
        ("return math.flor(1)", ["flow.lua:4:13: math has no 'flor'. Did you mean 'floor'?"]),
        (
            "count = 1",
            ["flow.lua:4:1: assignment to the undefined global 'count'; declare it local"]
        ), ("print = 1", ["flow.lua:4:1: the global 'print' is read-only"]),
        ("string.trim = 1", ["flow.lua:4:8: string is read-only"]),
        (
            "local function row(c) return c:sinc('add') end return row(context)",
            ["flow.lua:4:32: a context has no function 'sinc'. Did you mean 'sink'?"]
        ),
    ]) func mistakeInRenderIsFoundWithItsColumn(_ lines: String, _ problems: [String]) throws {
        #expect(try Folder(["flow.lua": Self.flow(lines)]).problems() == problems)
    }

    @Test(arguments: [
        "local sink = context:sink(('ad'):upper()) return sink",
        "local type = 'ad' return context:sink(type)",
        "local canvas = { rendr = function() end } canvas:rendr() canvas:sink('ad')",
        "local function draw(context) context:line() end draw({ line = function() end })",
        "do local context = { rendr = function() end } context:rendr() end",
        "return context.props.prop",
        "context:run('clock.after', { [state.key] = 1 }, state.options)",
        "context:run('clock.after', state.input, state.options)", "context:run(state.worker, 5)",
        "context:run('clock.after', { seconds = state.n }, { on_output = 'add' })",
        "local os = { time = print } return os.time()",
        "return table.unpack or unpack, not loadstring, bit32 == nil",
        "context:run('file.write', { path = 'a', content = 'b' })",
        "if jit then jit.off() end local unpack = unpack or table.unpack",
        "local t = {} t.sink = 1; t['os'] = 2; return t.os",
        "--[==[ context:rendr() ]] ]==] return [[ os.time() ]], \"count = 1\"",
        "goto next ::next:: for os = 1, 2 do print(os) end",
        "local on = { on_output = 'ad' } return on",
        "return context:render(Flow, {}, { on_output = function(o) return o end })",
    ]) func whatMayBeRightIsPassedOver(_ lines: String) throws {
        #expect(try Folder(["flow.lua": Self.flow(lines)]).problems() == [])
    }

    @Test(arguments: [
        (
            "return {",
            [
                "flow.lua:1: unexpected symbol near <eof>; the file ends too early: is an end, a ) or a } missing?"
            ]
        ),
        (
            "local x = 'a\nreturn {}",
            [
                "flow.lua:1: unfinished string near ''a'; close the quotes in the same line, or write [[…]]"
            ]
        ),
        (
            "return { render = 3 }",
            [
                "flow.lua:1: 'render' of the definition of flow is an integer; it must be a function(state, context)"
            ]
        ),
        (
            "return { render = print, sate = {} }",
            [
                "flow.lua:1: the definition of flow has an unknown field 'sate'. Did you mean 'state'?; a definition has the fields access, apply, changed, migrate, name, render, state, version"
            ]
        ),
        (
            "return { apply = {} }",
            [
                "flow.lua: the definition of flow has no render function; add: render = function(state, context) return { … } end"
            ]
        ), ("error('no')\nreturn { render = print }", ["flow.lua:1: no"]),
        (
            "local x = nil\nlocal y = x.z\nreturn { render = y }",
            [
                "flow.lua:2: attempt to index a nil value (local 'x'); 'x' is not set here; give it a value, or ask first: if x then …"
            ]
        ),
        (
            "while true do end",
            [
                "flow.lua:1:1: this loop never ends; leave it with break, or let a worker such as clock.every begin each round"
            ]
        ),
    ]) func whatDoesNotLoadIsFound(_ text: String, _ problems: [String]) throws {
        #expect(try Folder(["flow.lua": text]).problems() == problems)
    }

    @Test func hiddenStateIsFoundOnce() throws {
        let text = """
            local count, last = 0, nil
            local made = 0
            local function id() made = made + 1; return made end
            local first = id()
            local later
            later = function() return first end
            local Flow = {}
            Flow.apply = { add = function() count = count + 1; count = count + 1 end }
            function Flow.render(state)
                local own = 0
                local function step() own = own + 1 end
                step()
                (function() last = later() end)()
                return { own }
            end
            return Flow
            """
        #expect(
            try Folder(["flow.lua": text]).problems() == [
                "flow.lua:8:33: a function changes 'count', a local of the file; what a flow remembers belongs in its state",
                "flow.lua:13:17: a function changes 'last', a local of the file; what a flow remembers belongs in its state",
            ])
    }

    @Test func requiresAreFoundInTheFlowsFolder() throws {
        let folder = try Folder([
            "flow.lua": """
            local Row = require "parts.row"
            local Unused = require("parts.cell")
            local Missing = require 'parts.rwo'
            return { render = function(_, context) return context:render(Row), Missing end }
            """,
            // Its own requires start at the folder of the flow.
            "parts/row.lua": """
            local Cell = require "parts.cell"
            return { render = function(_, context) return context:render(Cell) end }
            """, "parts/cell.lua": "return { render = function() return 1 end }",
            "other.lua": "local Flow = require 'flwo'\nreturn Flow",
        ])
        #expect(
            try folder.problems() == [
                "flow.lua:2:7: 'Unused' is not used; leave out the require of 'parts.cell'",
                "flow.lua:3:25: there is no module 'parts.rwo': parts/rwo.lua is not in the flow's folder",
                "other.lua:1:22: there is no module 'flwo': flwo.lua is not in the flow's folder. Did you mean 'flow'?",
            ])
    }

    @Test func modulesAreFoundFromTheFolderOfTheirFlow() throws {
        let row = """
            local Cell = require "parts.cell"
            return { render = function(_, context) return context:render(Cell) end }
            """
        let folder = try Folder([
            "flow.lua": "local Row = require 'parts.row' return Row",
            "parts/row.lua": row, "parts/cell.lua": "return { render = function() return 1 end }",
            "parts/lost.lua": "local Gone = require \"parts.gone\" return { Gone }",
        ])
        #expect(try folder.problems(["parts/row.lua"]) == [])
        #expect(
            try folder.problems(["parts"]) == [
                "parts/lost.lua:1:22: there is no module 'parts.gone': parts/gone.lua is not in the flow's folder"
            ])
    }

    @Test func variableThatIsSetFromItselfIsNotFollowedForever() throws {
        let test = """
            local flow = workflow.test(require "flow")
            local worker = worker
            flow = flow:worker("clock.after")
            worker = worker:worker("clock.after"):output {}
            flow:foo()
            """
        let files = ["flow_test.lua": test, "flow.lua": Self.flow("return {}")]
        let problems = try Folder(files).problems()
        #expect(problems.map { $0.prefix { $0 != " " } } == ["flow_test.lua:2:16:"])
    }

    @Test func modulesOfOneNameAreToldApart() throws {
        let flow = """
            local One = require "a.item"
            local Two = require "b.item"
            return { render = function(_, context)
                return { context:render(One), context:render(Two) }
            end }
            """
        let item = "return { render = function() return 1 end }"
        #expect(
            try Folder(["flow.lua": flow, "a/item.lua": item, "b/item.lua": item])
                .problems() == [
                    "flow.lua:2:7: 'Two' has the name 'item' of 'One' in line 1, so that paths and errors cannot tell their nodes apart; give it another, such as name = \"two\""
                ])
        let named = "return { name = 'other', render = function() return 1 end }"
        #expect(
            try Folder(["flow.lua": flow, "a/item.lua": item, "b/item.lua": named])
                .problems() == [])
    }

    @Test func modulesOfTestsHaveTheNamesOfTests() throws {
        let folder = try Folder([
            "check.lua": "return { zero = function(n) expect(n):equals(0) end }",
            "other.lua": "return { zero = function(n) expect(n):equals(0) end }",
            "flow_test.lua": "it('is', function() require('check').zero(0) end)",
        ])
        #expect(
            try folder.problems() == [
                "other.lua:1:29: there is no global 'expect' in flows: tests are in files whose names end in _test.lua"
            ])
    }

    @Test func moduleIsNoFlow() throws {
        let folder = try Folder([
            "cart.lua": "return { total = function(items) return #items end, state = 3 }",
            "text.lua": "return function(context) return context:rendr() end",
            "nothing.lua": "local x = 1",
            "types/workflow.lua": "---@meta workflow\nworkflow = {}\n",
            ".hidden/broken.lua": "return {",
        ])
        #expect(
            try folder.problems() == [
                "nothing.lua: nothing.lua returns nothing; end the file with: return { … }"
            ])
    }

    @Test func sendsOfTestsAreActionsOfTheTestedFlow() throws {
        let folder = try Folder([
            "flow.lua": Self.flow("return {}"),
            "flow_test.lua": """
            local Flow = require "flow"
            local flow
            before_each(function() flow = workflow.test(Flow, {}) end)
            describe("flow", function()
                it("adds", function()
                    flow:send "add"
                    flow:send { type = "ad", by = 1 }
                    local other = workflow.test(require "flow")
                    other:send("remov", { sku = 1 })
                    expect(function() flow:send "no" end):fails "no"
                    other:send(flow.rendering.add)
                end)
                it("refuses", function()
                    flow:send "nothing"
                    flow:expect_error "no action"
                end)
            end)
            decribe("more", function() end)
            """,
        ])
        #expect(
            try folder.problems() == [
                "flow_test.lua:7:19: flow has no action 'ad'. Did you mean 'add'?",
                "flow_test.lua:9:20: flow has no action 'remov'. Did you mean 'remove'?",
                "flow_test.lua:18:1: there is no global 'decribe'. Did you mean 'describe'?",
            ])
    }

    @Test func fileThatDoesNotLoadIsStillRead() throws {
        let text = "local Gone = require 'gone'\n" + Self.flow("return context:sink('ad'), Gone")
        #expect(
            try Folder(["flow.lua": text]).problems() == [
                "flow.lua:1:22: there is no module 'gone': gone.lua is not in the flow's folder",
                "flow.lua:5:21: flow has no action 'ad'. Did you mean 'add'?",
            ])
    }

    /// Workers of plugins that are not at hand are all that can be said of the examples.
    @Test func examplesHaveNoProblems() throws {
        let examples = Repository.path("Examples")
        var check = try Check([examples], registry: try WorkerRegistry(StandardPlugins.compiledIn))
        #expect(check.fileCount > 15)
        #expect(check.run().filter { $0.code != .worker }.map(\.text) == [])
    }

    @Test func whatCannotBeUnderstoodInAFolderMayBeAFlow() throws {
        let folder = try Folder([
            "flow.lua": "return { render = function() return 1 end }",
            "module.lua": "return { add = function(a, b) return a + b end }",
            "broken.lua": "return { render = function() return 1 end",
            "broken_test.lua": "describe(",
        ])
        let found = try FlowFiles.find(at: [folder.path])
        #expect(found.map(\.path.nameOfPath).sorted() == ["broken.lua", "flow.lua"])
    }
}
