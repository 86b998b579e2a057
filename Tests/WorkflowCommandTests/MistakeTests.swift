import Foundation
import TestSupport
import Testing

/// Mistakes that authors of flows make: what a run and a check say of each.
/// Each is a file in `Mistakes`: the mistake's actions and render, or a `flow.lua` of its own.
@Suite struct MistakeTests {
    private static let names = SectionedFile.names(in: "Mistakes")

    private static func flow(_ mistake: SectionedFile) -> String {
        let (apply, render) = (mistake["apply"], mistake["render"])
        return """
            local Flow = { name = "flow" }

            function Flow.state(props)
                return { count = 0 }
            end

            Flow.apply = {
            \(apply.isEmpty ? "    increment = function(state) state.count = state.count + 1 end,\n" : apply)}

            function Flow.render(state, context)
            \(render.isEmpty ? "    return { count = state.count }\n" : render)end

            return Flow

            """
    }

    private static let placeless = [
        "action-sent-typo", "no-such-file", "props-not-json", "option-misspelt",
    ]

    @Test(arguments: names)
    func mistakeIsSaidWithPlaceCauseAndNextStep(_ name: String) async throws {
        var mistake = try SectionedFile(name, in: "Mistakes")
        let flow = name == "no-such-file.txt" ? [:] : ["flow.lua": Self.flow(mistake)]
        let folder = try Folder(mistake.files.merging(flow) { own, _ in own })
        let run = try await folder.run(
            ["flow.lua"] + mistake.lines("options"), input: mistake["input"])
        let check = try await folder.run("check", "flow.lua", "--no-luacheck")
        func shown(_ text: String) -> String {
            text.replacingOccurrences(of: folder.path, with: "FOLDER")
        }
        let (said, found) = (shown(run.stderr), shown(check.stdout))
        try mistake.expect(
            ["run", "check"],
            are: [
                (title: "run \(run.status)", text: said),
                (title: "check \(check.status)", text: found),
            ])

        let all = said + found
        #expect(!all.isEmpty, "the cause")
        let isSpecial = Self.placeless.contains(String(name.dropLast(".txt".count)))
        #expect(isSpecial || all.contains(/(flow|item)\.lua(:|\n)/), "the place")
        let steps = ["help: ", "Did you mean ", "; ", "its actions are ", ": write "]
        #expect(steps.contains { all.contains($0) }, "the next step")
    }

    @Test func thereAreMoreThanFifty() { #expect(Self.names.count > 50) }
}
