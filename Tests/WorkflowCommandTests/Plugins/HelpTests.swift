import Testing

/// The help of each command, and the scripts that complete command lines.
@Suite struct HelpTests {
    @Test(arguments: ["attach", "check", "new", "types", "plugins"])
    func helpFitsATerminalAndBeginsWithAnExample(_ verb: String) async throws {
        let outcome = try await Scene().run([verb, "--help"], environment: ["COLUMNS": "80"])
        let lines = outcome.stdout.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.count > 2 && lines[2].hasPrefix("  workflow-run \(verb)"))
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        [], ["run"], ["repl"], ["attach"], ["test"], ["explore"], ["check"], ["replay"], ["new"],
        ["types"], ["plugins"],
    ])
    func helpIsTheGoldenOne(_ verb: [String]) async throws {
        let outcome = try await Scene().run(verb + ["--help"], environment: ["COLUMNS": "80"])
        try GoldenPage(name: "help-\(verb.first ?? "root").txt").expect(outcome.stdout)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["clock", "file", "process"])
    func workersOfAPluginAreShownAsOnTheGoldenPage(_ plugin: String) async throws {
        let outcome = try await Scene().run("plugins", plugin)
        try GoldenPage(name: "plugins-\(plugin).txt").expect(outcome.stdout)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptKnowsTheCommands(_ shell: String) async throws {
        let outcome = try await Scene().run("--generate-completion-script", shell)
        for word in ["attach", "listen", "check", "new", "types", "plugins", "no-luacheck", "lua"] {
            #expect(outcome.stdout.contains(word))
        }
        #expect(outcome.status == 0)
    }
}
