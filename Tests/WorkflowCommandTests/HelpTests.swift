import Foundation
import TestSupport
import Testing

@Suite struct HelpTests {
    @Test(arguments: ["attach", "check", "new", "types", "plugins"])
    func helpFitsATerminalAndBeginsWithAnExample(_ verb: String) async throws {
        let outcome = try await Folder().run([verb, "--help"], environment: ["COLUMNS": "80"])
        let lines = outcome.stdout.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.count > 2 && lines[2].hasPrefix("  workflow-run \(verb)"))
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        [], ["run"], ["repl"], ["attach"], ["test"], ["explore"], ["check"], ["replay"], ["debug"],
        ["new"], ["types"], ["plugins"],
    ]) func helpIsTheGoldenOne(_ verb: [String]) async throws {
        let outcome = try await Folder().run(verb + ["--help"], environment: ["COLUMNS": "80"])
        let page = GoldenPage("help-\(verb.first ?? "root").txt")
        #expect(try page.difference(from: outcome.stdout) == nil)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["clock", "file", "process"])
    func workersOfAPluginAreShownAsOnTheGoldenPage(_ plugin: String) async throws {
        let outcome = try await Folder().run("plugins", plugin)
        let page = GoldenPage("plugins-\(plugin).txt")
        #expect(try page.difference(from: outcome.stdout) == nil)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptKnowsTheCommands(_ shell: String) async throws {
        let outcome = try await Folder().run("--generate-completion-script", shell)
        for word in ["attach", "listen", "check", "new", "types", "plugins", "no-luacheck", "lua"] {
            #expect(outcome.stdout.contains(word))
        }
        #expect(outcome.status == 0)
    }

    /// The offers of bash for the last of some words.
    private func offered(_ words: String...) async throws -> Set<String> {
        let scene = try Folder(["flow.lua": "", "other.txt": "", "s.json": ""])
        let script = try await scene.run("--generate-completion-script", "bash").stdout
        try script.write(
            to: scene.url.appendingPathComponent("script"), atomically: true, encoding: .utf8)
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
            ["-c", text], of: URL(fileURLWithPath: "/bin/bash"), in: scene.path, keeping: scene)
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
        let zsh = try await Folder().run("--generate-completion-script", "zsh").stdout
        #expect(zsh.contains("words=(run "))
        #expect(zsh.contains("_files -g '*.lua' && ret=0"))
    }

    private static let fish = ["/usr/bin/fish", "/usr/local/bin/fish", "/opt/homebrew/bin/fish"]
        .first(where: FileManager.default.isExecutableFile)

    /// The offers of fish for the last word of a line, without the descriptions.
    private func offeredByFish(_ line: String) async throws -> Set<String> {
        let fish = try #require(Self.fish)
        let scene = try Folder(["flow.lua": "", "other.txt": "", "s.json": ""])
        let script = try await scene.run("--generate-completion-script", "fish").stdout
        try script.write(
            to: scene.url.appendingPathComponent("script"), atomically: true, encoding: .utf8)
        let folder = try Repository.workflowRun().deletingLastPathComponent().path
        let text = "set PATH '\(folder)' $PATH; source ./script; complete -C 'workflow-run \(line)'"
        let program = try await RunningProgram(
            ["-N", "-c", text], of: URL(fileURLWithPath: fish), in: scene.path, keeping: scene)
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        return Set(outcome.stdout.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    }

    @Test(.enabled(if: fish != nil, "fish is not installed"))
    func fishCompletesFlowsOptionsAndWorkers() async throws {
        #expect(try await offeredByFish("fl") == ["flow.lua"])
        #expect(try await offeredByFish("./fl") == ["./flow.lua"])
        #expect(try await offeredByFish("re") == ["repl", "replay"])
        #expect(try await offeredByFish("flow.lua --keep") == ["--keep-going"])
        #expect(try await offeredByFish("--json fl") == ["flow.lua"])
        #expect(try await offeredByFish("flow.lua --restore s.") == ["s.json"])
        #expect(try await offeredByFish("check fl") == ["flow.lua"])
        #expect(try await offeredByFish("plugins clock.") == ["clock.after", "clock.every"])
        #expect(try await offeredByFish("explore flow.lua --worker clock.e") == ["clock.every="])
    }

    @Test func fishIsToldOfFlowsWithoutTheWordRun() async throws {
        let script = try await Folder().run("--generate-completion-script", "fish").stdout
        #expect(script.contains("set unparsed_tokens $unparsed_tokens[1] run $unparsed_tokens"))
        let flows = script.split(separator: "\n").last
        #expect(flows?.contains(#"_positional "workflow-run" -eq 1' -fa"#) == true)
        #expect(flows?.contains("*.\\'lua\\'") == true)
        #expect(!script.contains("-tC"))
    }

    @Test func namesOfWorkersAreCompleted() async throws {
        #expect(try await offered("plugins", "clock.") == ["clock.after", "clock.every"])
        #expect(try await offered("explore", "flow.lua", "--worker", "clock.e") == ["clock.every="])
    }
}
