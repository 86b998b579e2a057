import ClockPlugin
import FlowExploring
import FlowTesting
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The code of the article on testing, line for line.
@Suite struct TestingSnippets {
    private let tea = Repository.root + "Examples/tutorial/tea.lua"

    @Test func filesOfTestsAreRun() throws {
        let file = Repository.root + "Examples/tutorial/tea_test.lua"
        let options = FlowTestOptions(plugins: try WorkerRegistry([ClockPlugin.plugin]))
        let results = try FlowTestFile(.file(file), options: options).run()
        for result in results {
            #expect(result.failure == nil, "\(result.fullName)")
        }
        #expect(results.count == 3)
    }

    @Test func aTestPlaysTheWorkersPart() async throws {
        let session = try await FlowSession.open(
            .file(tea), options: FlowOptions(runsWorkers: false))
        try await session.send(["type": "brew", "minutes": 5])
        try await session.play(
            .worker(
                WorkerNews(
                    node: "tea", worker: "clock.after", key: "", event: .output(["seconds": 300]))
            ))
        #expect(await session.rendering["cups"] == 1)
    }

    @Test func flowsAreExplored() throws {
        var options = FlowExplorationOptions(actions: [["type": "brew"]])
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.never = ["state.cups > 2"]
        let seen = try FlowExplorer(.file(tea), options: options).explore()
        for finding in seen.findings {
            print(finding.kind, finding.steps.map(\.title))
        }
        #expect(seen.findings.map(\.steps.count) == [3])
    }
}
