import Foundation
import TestSupport
import Testing

@testable import FlowPrinting
@testable import WorkflowCommand

/// Hints name the program as it was typed, so that they can be typed in turn.
@Suite struct ProgramNameTests {
    @Test(arguments: [
        ("workflow-run", "/opt/bin/workflow-run", "workflow-run"),
        ("/opt/bin/workflow-run", "/opt/bin/workflow-run", "workflow-run"),
        ("Scripts/run", "/home/you/.build/release/workflow-run", "Scripts/run"),
        ("../my flows/Scripts/run", "/opt/bin/workflow-run", "'../my flows/Scripts/run'"),
        ("", "/opt/bin/workflow-run", "workflow-run"),
        ("/usr/bin/tests", "/usr/bin/tests", "workflow-run"),
    ])
    func nameIsTheTypedOneUnlessItIsTheUsualOne(_ argument: String, _ file: String, _ word: String)
    {
        #expect(ProgramName(startedAs: argument, file: file).word == word)
    }

    @Test(
        arguments: [
            ("see workflow-run test --help", "see Scripts/run test --help"),
            ("see workflow-run plugins, or load it", "see Scripts/run plugins, or load it"),
            ("it is played by workflow-run /tmp/a.lua", "it is played by Scripts/run /tmp/a.lua"),
            ("workflow-run --help; 'workflow-run help'", "Scripts/run --help; 'Scripts/run help'"),
            ("by workflow-run replay.", "by Scripts/run replay."),
            ("with the version of workflow-run that made it", nil),
            ("attach with the workflow-run of the version", nil),
            ("run /opt/workflow-run test", nil),
            ("part of workflow-run", nil),
        ] as [(String, String?)])
    func nameReplacesTheUsualOneInCommands(_ text: String, _ expected: String?) {
        let name = ProgramName(startedAs: "Scripts/run", file: "/opt/bin/workflow-run")
        #expect(name.inserted(in: text) == expected ?? text)
    }

    @Test func knownCommandsAreThoseOfTheProgram() {
        #expect(ProgramName.commands == Set(RootCommand.verbs))
    }

    /// A clone in which all is built, so that `Scripts/run` has only to start it.
    private func clone() throws -> Folder {
        let clone = try Folder([
            "Scripts/run": try Repository.text("Scripts/run"),
            "Scripts/flags": try Repository.text("Scripts/flags"),
            "Scripts/install-dependencies": "#!/bin/sh\n",
            "Package.swift": "", "Sources/main.swift": "", "flow_test.lua": failingTests,
            "flow.lua": "return { state = { n = 0 }, render = function(s) return { n = s.n } end }",
        ])
        for script in ["run", "install-dependencies"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: clone.path("Scripts/\(script)"))
        }
        try clone.makeFolder(".build/release")
        try clone.link(".build/release/workflow-run", to: try Repository.workflowRun().path)
        try clone.write("", to: ".build/workflow-run.built")
        return clone
    }

    @Test func runScriptGivesTheProgramItsName() async throws {
        let clone = try clone()
        func run(_ arguments: String...) async throws -> Outcome {
            // A path is seen from the folder that the shell is in.
            let line = "Scripts/run " + arguments.joined(separator: " ")
            return try await RunningProgram(
                ["-c", line], of: URL(fileURLWithPath: "/bin/bash"), in: clone.path, keeping: clone
            ).finish()
        }
        #expect(
            try await run("tset").stderr == """
                error: 'tset' is neither a command nor a file. Did you mean 'test'?
                help: give the path of a flow, such as ./tset.lua, or see Scripts/run --help

                """)
        let made = try await run("new", "tea")
        #expect(
            made.stdout.hasSuffix(
                """
                next
                  Scripts/run tea/tea.lua   play it
                  Scripts/run test tea      run its test
                  Scripts/run check tea     look for mistakes

                """))
        let failed = try await run("test", "flow_test.lua")
        #expect(
            failed.steadyOutput.contains(
                "to look into it: Scripts/run repl R/flow_test-adds--1.jsonl\n"))
        let help = try await run("check", "--help").stdout
        #expect(help.contains("USAGE: Scripts/run check [<path> ...] [options]\n"))
        #expect(!help.contains("workflow-run"))
        let script = try await run("--generate-completion-script", "fish").stdout
        #expect(script.contains("complete -c 'workflow-run'"))
        #expect(!script.contains("Scripts/run"))
    }
}
