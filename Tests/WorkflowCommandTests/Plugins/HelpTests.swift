import Foundation
import TestSupport
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

    /// What bash offers for the last of some words.
    private func offered(_ words: String...) async throws -> Set<String> {
        let scene = try Scene(["flow.lua": "", "other.txt": "", "s.json": ""])
        let script = try await scene.run("--generate-completion-script", "bash").stdout
        try script.write(
            to: scene.folder.appendingPathComponent("script"), atomically: true, encoding: .utf8)
        let folder = try Repository.workflowRun().deletingLastPathComponent().path
        let last = words.count
        let quoted = (["workflow-run"] + words).map { "'\($0)'" }.joined(separator: " ")
        let text = """
            PATH="\(folder):$PATH"
            source ./script
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(last); COMP_LINE="${COMP_WORDS[*]}"
            COMP_POINT=${#COMP_LINE}
            _workflow-run workflow-run "${COMP_WORDS[\(last)]}" "${COMP_WORDS[\(last - 1)]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try await RunningProgram(
            ["-c", text], of: URL(fileURLWithPath: "/bin/bash"), in: scene.folder, keeping: scene)
        let outcome = try await bash.finish()
        return Set(outcome.stdout.split(separator: "\n").map(String.init))
    }

    @Test func flowsAndOptionsAreCompletedWithoutTheWordRun() async throws {
        #expect(try await offered("fl").contains("flow.lua"))
        #expect(try await offered("re").isSuperset(of: ["repl", "replay"]))
        #expect(try await offered("flow.lua", "--keep").contains("--keep-going"))
        #expect(try await offered("flow.lua", "--restore", "s.").contains("s.json"))
        #expect(try await offered("check", "fl").contains("flow.lua"))
        #expect(try await offered("./fl").contains("./flow.lua"))
        let zsh = try await Scene().run("--generate-completion-script", "zsh").stdout
        #expect(zsh.contains("words=(run "))
        #expect(zsh.contains("_files -g '*.lua' && ret=0"))
    }

    @Test func namesOfWorkersAreCompleted() async throws {
        #expect(try await offered("plugins", "clock.") == ["clock.after", "clock.every"])
        #expect(
            try await offered("explore", "flow.lua", "--worker", "clock.e") == ["clock.every="])
    }
}
