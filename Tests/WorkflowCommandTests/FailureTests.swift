import PlainValue
import TestSupport
import Testing

@Suite struct FailureTests {
    private static let names = SectionedFile.names(in: "FailingFlows")

    /// The options, with enough time for flows that are not about it.
    private func options(_ flow: SectionedFile) -> [String] {
        let options = flow.lines("options")
        return options.contains("--max-time") ? options : options + ["--max-time", "1000"]
    }

    private func sections(_ all: [(String, String)]) -> [(title: String, text: String)] {
        all.filter { !$0.1.isEmpty }.map { (title: $0.0, text: $0.1) }
    }

    @Test(arguments: names) func standardErrorSaysItWhole(_ name: String) async throws {
        var flow = try SectionedFile(name, in: "FailingFlows")
        let outcome = try await Folder(flow.files)
            .run(["flow.lua"] + options(flow), input: flow["input"])
        try flow.expect(
            ["output", "errors"],
            are: sections([("output", outcome.stdout), ("errors", outcome.stderr)]))
        #expect(outcome.status == 65)
    }

    @Test(arguments: names) func jsonSaysItAsEvents(_ name: String) async throws {
        var flow = try SectionedFile(name, in: "FailingFlows")
        let actions = flow.lines("input")
        let requests = actions.enumerated().map { index, action in
            let field = action.contains("$sink") ? "sink" : "action"
            return #"{"id":\#(index + 1),"do":"send","\#(field)":\#(action)}"# + "\n"
        }
        let outcome = try await Folder(flow.files)
            .run(["flow.lua", "--json"] + options(flow), input: requests.joined())
        let events = try Events(outcome.stdout)
        let errors = events.text("error")
        try flow.expect(["events"], are: sections([("events", errors + "\n")]))
        // An action that failed does not change the exit status.
        let status: Int32 = actions.isEmpty ? 65 : 0
        #expect(events.all.last?["type"] == "done")
        #expect(events.all.last?["exit"] == .int(Int(status)))
        #expect(outcome.status == status)
        #expect(outcome.stderr == "")
        // Each request has one reply, which repeats the error that failed it.
        let failures = events.of("reply").compactMap { $0["error"] }
        #expect(events.of("reply").count == actions.count)
        if !actions.isEmpty { #expect(failures.map(\.json).joined(separator: "\n") == errors) }
    }

    @Test func thereAreMoreThanFifty() { #expect(Self.names.count > 50) }
}
