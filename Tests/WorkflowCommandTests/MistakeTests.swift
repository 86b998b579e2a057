import Foundation
import TestSupport
import Testing

/// Mistakes that authors of flows make: what a run and a check say of each.
///
/// Each is a file in the folder `Mistakes`, in sections: the files, the options and the input of a
/// run, and what is printed. With `GOLDEN_UPDATE=1` in the environment the latter is written anew.
@Suite struct MistakeTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Mistakes")

    private static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".txt") }.sorted() ?? []

    /// The sections of a mistake, in order.
    private struct Mistake {
        var sections: [(title: String, text: String)] = []

        init(_ text: String) {
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                if line.hasPrefix("== ") {
                    sections.append((String(line.dropFirst(3)), ""))
                } else if let last = sections.indices.last {
                    sections[last].text += line + "\n"
                }
            }
        }

        subscript(title: String) -> String { sections.first { $0.title == title }?.text ?? "" }

        /// The files of the flow by name.
        var files: [String: String] {
            Dictionary(
                uniqueKeysWithValues: sections.filter { $0.title.hasSuffix(".lua") }.map {
                    ($0.title, $0.text)
                })
        }

        var isGiven: (String) -> Bool {
            { title in title.hasSuffix(".lua") || title == "options" || title == "input" }
        }

        var text: String { sections.map { "== \($0.title)\n\($0.text)" }.joined() }
    }

    /// The mistakes that are in no file.
    private static let placeless = [
        "action-sent-typo", "no-such-file", "props-not-json", "option-misspelt",
    ]

    @Test(arguments: names)
    func mistakeIsSaidWithPlaceCauseAndNextStep(_ name: String) async throws {
        let file = Self.folder.appendingPathComponent(name)
        let written = try String(contentsOf: file, encoding: .utf8)
        var mistake = Mistake(written)
        let isGiven = mistake.isGiven
        mistake.sections.removeAll { !isGiven($0.title) }
        let scene = try Scene(mistake.files)
        let options = mistake["options"].split(separator: "\n").map(String.init)
        let run = try await scene.run(["flow.lua"] + options, input: mistake["input"])
        let check = try await scene.run("check", "flow.lua", "--no-luacheck")
        func shown(_ text: String) -> String {
            text.replacingOccurrences(of: scene.folder.path, with: "FOLDER")
        }
        let said = shown(run.stderr)
        let found = shown(check.stdout)
        mistake.sections += [
            ("run \(run.status)", said), ("check \(check.status)", found),
        ]
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try mistake.text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == mistake.text)

        let all = said + found
        #expect(!all.isEmpty, "the cause")
        let isSpecial = Self.placeless.contains(String(name.dropLast(".txt".count)))
        #expect(isSpecial || all.contains(/(flow|item)\.lua(:|\n)/), "the place")
        let steps = ["help: ", "Did you mean ", "; ", "its actions are ", ": write "]
        #expect(steps.contains { all.contains($0) }, "the next step")
    }

    @Test func thereAreMoreThanFifty() {
        #expect(Self.names.count > 50)
    }
}
