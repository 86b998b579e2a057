import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// Modules of libraries: in `lua_modules` beside the flow, and in folders that several flows share.
@Suite struct LibraryFolderTests {
    private static let tree = FlowModules.libraryFolder

    /// A flow whose rendering is what an expression gives while the flow is loaded.
    private static func flow(_ expression: String) -> String {
        "local value = \(expression) return { render = function() return value end }"
    }

    private func rendering(
        _ expression: String, _ modules: [String: String], _ options: LuaFlow.Options = .init()
    ) throws -> Value {
        try FlowHost(Self.flow(expression), modules: modules, options: options)
            .rendering
    }

    private func library(_ files: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: files.map { (Self.tree + $0.key, $0.value) })
    }

    @Test func modulesAreFoundInTheirOrder() throws {
        let folder = try Folder([
            "flow.lua": Self.flow(
                """
                { require 'own', require 'both', require 'tree', require 'deep.part', require
                'shared', require 'rocks' }
                """), "own/init.lua": "return 'own'", "both.lua": "return 'beside'",
            Self.tree + "both.lua": "return 'no'", Self.tree + "tree/init.lua": "return 'tree'",
            Self.tree + "deep/part.lua": "return 'part'",
        ])
        let shared = try Folder(["shared.lua": "return 'shared'", "tree.lua": "return 'no'"])
        let rocks = try Folder(["share/lua/5.4/rocks.lua": "return 'rocks'"])
        var options = LuaFlow.Options()
        options.libraries = [shared.path, rocks.path]
        let flow = try LuaFlow(file: folder.path("flow.lua"), options: options)
        let host = WorkflowHost(workflow: flow.workflow())
        #expect(host.rendering.value == ["own", "beside", "tree", "part", "shared", "rocks"])
        #expect(
            flow.files == [
                "(lib)/rocks.lua", "(lib)/shared.lua", "both.lua", "flow.lua",
                Self.tree + "deep/part.lua", Self.tree + "tree/init.lua", "own/init.lua",
            ])
        #expect(Set(flow.fileHashes.keys) == Set(flow.files))
    }

    @Test func aLinkOutOfAFolderOfLibrariesIsRefused() throws {
        let shared = try Folder(["there.lua": "return 1"])
        let outside = try Folder(["secret.lua": "return 2"])
        try FileManager.default.createSymbolicLink(
            atPath: shared.path("secret.lua"), withDestinationPath: outside.path("secret.lua"))
        let folder = try #require(FlowFolder(path: outside.path, libraries: [shared.path]))
        guard case .found = folder.modules.find("there"),
            case .found(let own) = folder.modules.find("secret")
        else {
            Issue.record("the modules are not found")
            return
        }
        #expect(own.file == "secret.lua")
        let other = try Folder()
        guard
            case .refused(let reason)? = FlowFolder(path: other.path, libraries: [shared.path])?
                .modules.find("secret")
        else {
            Issue.record("the link is followed")
            return
        }
        #expect(reason == "(lib)/secret.lua is a link out of the flow's folder")
    }

    @Test func textsOfLibrariesGoByTheirPaths() throws {
        #expect(FlowModules.name(of: Self.tree + "a/b.lua") == Self.tree + "a/b.lua")
        #expect(FlowModules.name(of: "a/init.lua") == "a.init")
        #expect(
            try rendering(
                "{ require 'x', require 'y' }",
                ["x.init": "return 1", Self.tree + "y/init.lua": "return 2"]) == [1, 2])
    }

    @Test func aModuleGetsItsNameAndItsFile() throws {
        #expect(
            try rendering(
                "{ require 'a', require 'b.c' }",
                ["a": "return { ... }"].merging(library(["b/c.lua": "return { ... }"])) { $1 })
                == [["a", "a.lua"], ["b.c", .string(Self.tree + "b/c.lua")]])
    }

    @Test func aModuleOfALibraryNeedNotReturnAnything() throws {
        #expect(
            try rendering(
                "{ require 'a', require 'b', package.loaded.a }",
                library(["a.lua": "answer = 1", "b.lua": "package.loaded[...] = { 'b', answer }"]))
                == [true, ["b", 1], true])
        #expect(throws: FlowError.self) { try rendering("require 'a'", ["a": "local x = 1"]) }
    }

    @Test func modulesOfALibraryMayRequireEachOther() throws {
        #expect(
            try rendering(
                "require 'a'.b.a.name",
                library([
                    "a.lua": """
                    local a = { name = 'a' } package.loaded.a = a a.b = require 'b'
                    return a
                    """, "b.lua": "return { a = require 'a' }",
                ])) == "a")
        let error = #expect(throws: FlowError.self) {
            try rendering("require 'a'", library(["a.lua": "require 'b'", "b.lua": "require 'a'"]))
        }
        #expect(error?.message == "modules require each other: a → b → a")
    }

    @Test func aLibraryMayOfferModules() throws {
        #expect(
            try rendering(
                "{ require 'all', require 'part' }",
                library([
                    "all.lua": """
                    package.preload.part = function(...) return { ... } end return require
                    'part'
                    """
                ])) == [["part", ":preload:"], ["part", ":preload:"]])
    }

    @Test func librariesOfLuaAreModules() throws {
        #expect(
            try rendering(
                """
                { require 'string' == string, require '_G' == _G, require 'math'.pi > 3 }
                """, [:]) == [true, true, true])
        for name in ["io", "os", "debug"] {
            let expression = """
                { pcall(require, '\(name)') == false, package.loaded.\(name) == nil }
                """
            #expect(try rendering(expression, [:]) == [true, true])
            #expect(
                try rendering(
                    "require 'a'", library(["a.lua": "return require '\(name)' == \(name)"]))
                    == true)
        }
    }

    @Test func aFlowCanOnlyReadThePackage() throws {
        for write in [
            "package.loaded.x = 1", "package.preload.x = print", "package.path = ''",
            "rawset(package.loaded, 'x', 1)",
        ] {
            #expect(throws: FlowError.self) {
                try FlowHost("\(write) return { render = function() end }")
            }
        }
        #expect(
            try rendering("{ package.config:sub(1, 1), package.path, package.cpath }", [:]) == [
                "/", "?.lua;?/init.lua", "",
            ])
    }

    @Test func aLibraryCannotChangeWhatAFlowRequires() throws {
        let modules = library([
            "a.lua": """
            package.loaded.workflow = 1 package.loaded.b = 2 _G.require = nil string.rep =
            nil
            """
        ]).merging(["b": "return 'own'"]) { $1 }
        #expect(
            try rendering(
                """
                { require 'b', require 'a', type(require 'workflow'), require 'b',
                ('x'):rep(2) }
                """, modules) == ["own", true, "table", "own", "xx"])
    }

    @Test func aReloadedLibraryBeginsAnew() throws {
        let folder = try Folder([
            "flow.lua": Self.flow("require 'a'"),
            Self.tree + "a.lua": "count = (count or 0) + 1 return count",
        ])
        var flow = try LuaFlow(file: folder.path("flow.lua"))
        try flow.reload()
        #expect(WorkflowHost(workflow: flow.workflow()).rendering.value == 1)
        // What fails leaves the globals of the files in force as they were.
        try folder.write("count = 5 error('no')", to: Self.tree + "a.lua")
        #expect(throws: FlowError.self) { try flow.reload() }
        #expect(WorkflowHost(workflow: flow.workflow()).rendering.value == 1)
    }

    @Test func aLongLibraryIsTakenWhereAFileOfTheFlowIsNot() throws {
        let long = String(repeating: "local function f() return 1 end\n", count: 150)
        let text =
            "return (function()\n" + String(repeating: "do \(long) end\n", count: 30)
            + "return 7 end)()"
        #expect(text.utf8.count > 100_000)
        #expect(try rendering("require 'long'", library(["long.lua": text])) == 7)
        let error = #expect(throws: FlowError.self) {
            try rendering("require 'long'", ["long": text])
        }
        #expect(error?.message.hasSuffix("the source text has more than 65536 bytes") == true)
    }

    @Test func anErrorInALibraryHasItsPlaceAndItsLines() throws {
        let error = #expect(throws: FlowError.self) {
            try rendering("require 'a'", library(["a.lua": "local x = 1\nerror('no')"]))
        }
        #expect(error?.location == .init(file: Self.tree + "a.lua", line: 2))
        #expect(error?.excerpt?.lines == ["local x = 1", "error('no')"])
    }

    #if os(Linux)
        @Test func anIsolatedFlowHasItsLibrariesToo() throws {
            var options = LuaFlow.Options()
            options.limits.isolation = .process
            #expect(
                try rendering(
                    "{ require 'a', require 'workflow'.plain(setmetatable({ 1 }, {}))[1] }",
                    library([
                        "a.lua": """
                        answer = 6 local m = {} local t = setmetatable({}, m) m.__call =
                        function() return load('return answer')() end return t()
                        """
                    ]), options) == [6, 1])
        }
    #endif

    @Test func theTimeIsTheOneOfTheActionAndOfTheStart() throws {
        var now = 1_000_000
        var options = LuaFlow.Options()
        options.now = { now }
        let source = """
            local start = os.time()
            return {
                state = { times = {} },
                apply = { go = function(state, _, context)
                    state.times = { start, os.time(), os.date('%H:%M'), context.now, require
                        'late' }
                end },
                render = function(state)
                    return { times = state.times, known = (pcall(os.time)), late = require 'later' }
                end,
            }
            """
        let host = try FlowHost(
            source,
            modules: library(["late.lua": "return os.time()", "later.lua": "return os.time()"]),
            options: options)
        now = 7_260_000
        try host.send("go")
        // The time at which a module is loaded must not depend on which step needs it first.
        #expect(
            host.rendering == [
                "times": [1000, 7260, "02:01", 7260.0, 1000], "known": false, "late": 1000,
            ])
    }

    @Test func aRenderThatAsksForTheTimeSaysWhatToDo() throws {
        let host = try? FlowHost(
            """
            return { name = 'a', render = function() return os.date() end }
            """)
        #expect(host?.errors.first?.message == "os.time and os.date know the time only in apply")
        #expect(host?.errors.first?.help?.contains("context.now") == true)
    }

    @Test func aWeakTableIsNotedOnce() throws {
        var notes: [FlowLog] = []
        var options = LuaFlow.Options()
        options.onPrint = { notes.append($0) }
        #expect(
            try rendering(
                "{ require 'a', require 'b' }",
                library([
                    "a.lua": """
                    -- __mode\nlocal t = setmetatable({}, { __mode = 'k' }) t[{}] = 1
                    return next(t) ~= nil
                    """, "b.lua": "local m = {} m['__mode'] = 'v' return true",
                ]), options) == [true, true])
        #expect(
            notes.map(\.message) == [
                """
                note: __mode has no effect here: the entries of a weak table stay
                """
            ])
        #expect(notes.first?.location == .init(file: Self.tree + "a.lua", line: 2))
    }

    @Test func plainCopiesAValueWithoutMetatables() throws {
        let source = """
            local workflow = require 'workflow'
            local Point = { __index = { kind = 'point' } }
            local function point(x) return setmetatable({ x = x, tags = { 'a', setmetatable({ 'b'
                }, Point) } }, Point) end
            return {
                state = { point = {} },
                apply = { go = function(state, action)
                    local p = point(action.x)
                    state.point = workflow.plain(p)
                    state.same = getmetatable(p) == Point and p.kind
                    state.record = workflow.plain(workflow.record())
                    state.copy = workflow.plain(state.point)
                    state.scalar = workflow.plain(action.x)
                end },
                render = function(state, context) return workflow.plain(state) end,
            }
            """
        let host = try FlowHost(source)
        try host.send(["type": "go", "x": 3])
        let point: Value = ["x": 3, "tags": ["a", ["b"]]]
        #expect(
            host.rendering == [
                "point": point, "same": "point", "record": [:], "copy": point, "scalar": 3,
            ])
    }

    @Test func theMessageThatRefusesAMetatableNamesPlain() throws {
        let error = #expect(throws: FlowError.self) {
            let host = try FlowHost(
                """
                return { render = function() return setmetatable({}, {}) end }
                """)
            throw try #require(host.errors.first)
        }
        #expect(error?.help?.contains("workflow.plain(value)") == true)
    }

    @Test(arguments: [
        "local t = {} t.t = t return workflow.plain(t)",
        "local t = {} for i = 1, 300 do t = { t } end return workflow.plain(t)",
        "return workflow.plain({ print })", "return workflow.plain()",
    ]) func whatCannotBePlainIsAnError(body: String) throws {
        let host = try? FlowHost(

            """
            local workflow = require 'workflow' return { name = 'a', render = function()
            \(body) end }
            """)
        #expect(host == nil || host?.errors.isEmpty == false)
    }
}
