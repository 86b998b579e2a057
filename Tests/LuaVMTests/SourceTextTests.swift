import LuaVM
import PlainValue
import TestSupport
import Testing

/// Anything before the code of a source text is skipped.
@Suite struct SourceTextTests {
    @Test(arguments: [
        "return 1", "\u{FEFF}return 1", "#!/usr/bin/env lua\nreturn 1",
        "\u{FEFF}#!/usr/bin/env lua\r\nreturn 1", "\u{FEFF}\nreturn 1",
    ]) func markAndFirstLineForTheShellAreSkipped(_ source: String) throws {
        #expect(try LuaVM().run(source) == 1)
    }

    @Test(arguments: ["", "\u{FEFF}", "#", "\u{FEFF}#", "# no line end", "\u{FEFF}#\r"])
    func textWithoutCodeReturnsNothing(_ source: String) throws {
        #expect(try LuaVM().run(source) == .null)
    }

    @Test(arguments: [
        ("\u{FEFF}error 'x'", 1), ("#!shell\nerror 'x'", 2), ("#!shell\r\nerror 'x'", 2),
        ("#!shell\rerror 'x'", 2), ("\u{FEFF}#!shell\n\nerror 'x'", 3),
    ]) func linesAreThoseOfTheText(_ source: String, _ line: Int) throws {
        #expect(try LuaVM().failure(of: source).location == LuaLocation(chunk: "t.lua", line: line))
    }

    @Test(arguments: ["\u{FEFF}\u{FEFF}return 1", " #!shell\nreturn 1", "#\n#\nreturn 1"])
    func onlyOneOfEachIsSkippedAndOnlyAtTheStart(_ source: String) throws {
        #expect(try LuaVM().failure(of: source).code == .syntax)
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x23]] as [[UInt8]])
    func partOfAMarkIsNone(_ bytes: [UInt8]) throws {
        let vm = try LuaVM()
        let error = #expect(throws: LuaError.self) {
            _ = try bytes.withUnsafeBytes { try vm.load($0, chunkName: "t.lua") }
        }
        #expect(error?.code == .syntax)
    }

    @Test func aTextThatIsNestedTooDeeplySaysSo() throws {
        let nested = String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000)
        let error = try LuaVM().failure(of: "return \(nested)")
        #expect(error.code == .syntax)
        #expect(error.message == "C stack overflow")
    }

    @Test func bytecodeBehindAMarkIsRefused() throws {
        #expect(try LuaVM().failure(of: "\u{FEFF}\u{1B}Lua").code == .syntax)
    }

    /// Otherwise a file that exceeds the limit, read only up to it, would run in part.
    @Test func whatIsSkippedCountsToTheLimit() throws {
        var options = LuaVM.Options.unhurried
        options.sourceLimit = 10
        let vm = try LuaVM(options)
        #expect(try vm.failure(of: "\u{FEFF}return 1").code == .sourceTooLong)
        #expect(try vm.failure(of: "#!sh\nreturn 1").code == .sourceTooLong)
        #expect(try vm.run("\u{FEFF}return ") == .null)
    }
}
