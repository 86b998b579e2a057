import PlainValue
import Testing

/// The reports of flows that go wrong, and the runs that continue where they can.
@Suite struct FailureTests {
    @Test(arguments: FailingFlow.all)
    func standardErrorSaysItWhole(_ flow: FailingFlow) async throws {
        let outcome = try await Scene(flow.files)
            .run(["flow.lua"] + flow.allOptions, input: flow.actions.map { $0 + "\n" }.joined())
        #expect(outcome.stderr == flow.stderr)
        #expect(outcome.stdout == flow.stdout)
        #expect(outcome.status == flow.status)
    }

    @Test(arguments: FailingFlow.all)
    func jsonSaysItAsEvents(_ flow: FailingFlow) async throws {
        let outcome = try await Scene(flow.files)
            .run(["flow.lua", "--json"] + flow.allOptions, input: flow.requests)
        let events = try Events(outcome.stdout)
        #expect(events.text("error") == flow.errors)
        #expect(events.all.last?["type"] == "done")
        #expect(events.all.last?["exit"] == .int(Int(flow.jsonStatus)))
        #expect(outcome.status == flow.jsonStatus)
        #expect(outcome.stderr == "")
        // Each request has one reply, which repeats the error that failed it.
        let failures = events.of("reply").compactMap { $0["error"] }
        #expect(events.of("reply").count == flow.actions.count)
        if !flow.actions.isEmpty {
            #expect(failures.map(\.json).joined(separator: "\n") == flow.errors)
        }
    }
}
