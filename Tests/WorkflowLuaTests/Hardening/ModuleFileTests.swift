import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkflowLua

/// The files that `require` reaches: only what is run is read and kept.
@Suite struct ModuleFileTests {
    private static let tooLong = String(repeating: "-", count: 70_000)

    @Test func noMoreIsReadOfAFileThanTellsThatItIsTooLong() throws {
        let folder = try Folder(["long.lua": Self.tooLong])
        let path = folder.path("long.lua")
        #expect(try readFile(path, takingUpTo: 69_999).get().count == 70_000)
        #expect(try readFile(path, takingUpTo: 69_998).get().count == 69_999)
        #expect(try readFile(path, takingUpTo: 10).get().count == 11)
        #expect(try readFile(path, takingUpTo: .max).get().count == 70_000)
        let modules = try #require(FlowFolder(path: folder.path)).modules(upTo: 100)
        guard case .found(let module) = modules.find("long") else {
            Issue.record("the module is not found")
            return
        }
        #expect(module.source.count == 101)
    }

    @Test func modulesThatFailAreNotKept() throws {
        let folder = try Folder([
            "flow.lua": """
            for _, name in ipairs { "long", "broken", "failing" } do pcall(require, name) end
            require "good"
            return { render = function() end }
            """, "long.lua": Self.tooLong, "broken.lua": "return {", "failing.lua": "error('no')",
            "good.lua": "return {}",
        ])
        let flow = try LuaFlow(file: folder.path("flow.lua"))
        #expect(flow.files == ["flow.lua", "good.lua"])
    }

    @Test(
        arguments: [
            ("long.lua", tooLong, "the source text has more than 65536 bytes", nil),
            (
                "broken.lua", "local x = 1\nreturn {", "unexpected symbol near <eof>",
                ["local x = 1", "return {"]
            ),
            ("failing.lua", "local x = 1\nerror('no')", "no", ["local x = 1", "error('no')"]),
        ] as [(String, String, String, [String]?)])
    func errorOfAModuleHasItsLines(
        _ file: String, _ text: String, _ message: String, _ lines: [String]?
    ) throws {
        let folder = try Folder([
            "flow.lua": "require '\(file.dropLast(4))' return { render = function() end }",
            file: text,
        ])
        let error = #expect(throws: FlowError.self) { try LuaFlow(file: folder.path("flow.lua")) }
        #expect(error?.message.hasSuffix(message) == true)
        if let lines { #expect(error?.excerpt?.lines == lines) }
    }

    @Test func aPipeIsRefusedAndNotWaitedFor() throws {
        let folder = try Folder(["flow.lua": "require 'pipe' return { render = function() end }"])
        #expect(mkfifo(folder.path("pipe.lua"), 0o600) == 0)
        let error = #expect(throws: FlowError.self) { try LuaFlow(file: folder.path("flow.lua")) }
        #expect(
            error?.message
                == "module 'pipe' cannot be loaded: pipe.lua cannot be read: it is not a regular file"
        )
        #expect(error?.location == .init(file: "flow.lua", line: 1))
    }
}
