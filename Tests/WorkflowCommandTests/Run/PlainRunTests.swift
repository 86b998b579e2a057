import ArgumentParser
import Testing

@testable import WorkflowCommand

@Suite struct PlainRunTests {
    /// All properties at any depth, with the parser's data for each.
    private func properties(of command: RunCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }

    @Test func aFlowWithoutOptionsIsPlayedAsTheParserHasIt() throws {
        let parsed = try #require(try RootCommand.parseAsRoot(["run", "a.lua"]) as? RunCommand)
        #expect(properties(of: RunCommand(playing: "a.lua")) == properties(of: parsed))
        let other = try #require(
            try RootCommand.parseAsRoot(["run", "a.lua", "--quiet"]) as? RunCommand)
        #expect(properties(of: RunCommand(playing: "a.lua")) != properties(of: other))
    }
}
