import Foundation
import TestSupport
import Testing

/// Options that write a file replace what they wrote before, and nothing else.
@Suite struct ReplacedFileTests {
    private static let flow = """
        local part = require "part"
        return {
            state = { n = part },
            apply = { add = function(state) state.n = state.n + 1 end },
            render = function(state, context)
                context:run("file.read", { path = "p.json" }, { on_output = function() end })
                return { n = state.n }
            end,
        }
        """

    private let scene: Folder
    private let sources: [String: String]

    init() throws {
        sources = [
            "flow.lua": Self.flow, "part.lua": "return 1", "p.json": "{}", "empty.lua": "",
            "flow_test.lua": "it(\"passes\", function() end)", "notes.txt": "mine",
            "page.xml": "<html/>", "sub/part.lua": "return 2",
        ]
        scene = try Folder(sources)
        let files = FileManager.default
        let folder = scene.path
        try files.createSymbolicLink(
            atPath: "\(folder)/link.json", withDestinationPath: "sub/part.lua")
        try files.linkItem(atPath: "\(folder)/part.lua", toPath: "\(folder)/hard.json")
    }

    private func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: scene.path)
        for name in names {
            let url = scene.url.appendingPathComponent(name)
            contents[name] = try? String(contentsOf: url, encoding: .utf8)
        }
        return contents
    }

    private static let targets = [
        "flow.lua", "./flow.lua", "sub/../flow.lua", "part.lua", "flow_test.lua", "p.json",
        "notes.txt", "link.json", "hard.json", "empty.lua", "page.xml",
    ]

    @Test(arguments: targets, ["--save", "--audit", "--record"])
    func aSourceIsNotWrittenOver(_ target: String, _ option: String) async throws {
        let before = try contents()
        for command in [[], ["repl"]] {
            let outcome = try await scene.run(
                command + [
                    "flow.lua", "--allow", "file.read=.", "--props", "@p.json", option, target,
                ], input: "add\n")
            #expect(outcome.status == 64)
            #expect(outcome.stdout == "")
            #expect(outcome.stderr.contains(target))
            #expect(outcome.stderr.contains("\nhelp: "))
            #expect(try contents() == before)
        }
    }

    @Test(arguments: targets)
    func aReportOfTestsDoesNotReplaceASource(_ target: String) async throws {
        let before = try contents()
        let outcome = try await scene.run("test", "flow_test.lua", "--junit", target)
        #expect(outcome.status == 64)
        #expect(
            outcome.stderr == "error: --junit: \(target) is there and is not a report of tests\n"
                + "help: choose another name, or move the file away\n")
        #expect(try contents() == before)
    }

    @Test func typesDoNotReplaceAnotherFile() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: scene.path + "/workflow.lua", withDestinationPath: "part.lua")
        let before = try contents()
        let outcome = try await scene.run("types", "--output", ".")
        #expect(outcome.status == 64)
        #expect(try contents() == before)
    }

    @Test func ownFilesAreReplaced() async throws {
        try Data().write(to: scene.url.appendingPathComponent("made.json"))
        let options = ["flow.lua", "--allow", "file.read=.", "--quiet"]
        for count in 1...2 {
            let outcome = try await scene.run(
                options + ["--save", "s.json", "--audit", "a.jsonl"]
                    + (count > 1 ? ["--restore", "s.json"] : []), input: "add\n")
            #expect(outcome.stderr == "")
            #expect(outcome.status == 0)
            let report = try await scene.run("test", "flow_test.lua", "--junit", "r.xml")
            #expect(report.status == 0)
            #expect(try await scene.run("types", "--output", "types").status == 0)
        }
        #expect(try contents()["s.json"]?.contains("\"n\": 3") == true)
        #expect(try contents()["a.jsonl"]?.contains("\"worker\":\"file.read\"") == true)
        for path in ["made.json", "/dev/null"] {
            #expect(try await scene.run(options + ["--save", path]).status == 0)
        }
        let replaced = try await scene.run("test", "flow_test.lua", "--junit", "s.json")
        #expect(replaced.status == 64)
    }

    @Test(arguments: [("--record", "--save"), ("--save", "--audit"), ("--record", "--audit")])
    func oneFileForTwoOptionsIsRefused(_ first: String, _ second: String) async throws {
        let before = try contents()
        let outcome = try await scene.run(
            "flow.lua", "--allow", "file.read=.", first, "new.json", second, "sub/../new.json")
        #expect(
            outcome.stderr
                == "error: \(first) and \(second) are given the same file, sub/../new.json\n"
                + "help: give each a file of its own\n")
        #expect(outcome.status == 64)
        #expect(try contents() == before)
    }

    @Test func aFileBesideTheOneThatIsSavedStays() async throws {
        try "mine".write(
            to: scene.url.appendingPathComponent("s.json.new"), atomically: false,
            encoding: .utf8)
        let outcome = try await scene.run(
            "flow.lua", "--allow", "file.read=.", "--save", "s.json")
        #expect(outcome.status == 0)
        #expect(try contents()["s.json.new"] == "mine")
    }
}
