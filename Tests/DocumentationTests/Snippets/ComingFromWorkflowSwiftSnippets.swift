import Testing
import Workflow

struct LoadName: Worker, Equatable {
    var id: Int
    func run() async throws -> String { "name \(id)" }
}

struct Profile: Workflow {
    var id: Int

    enum Action: WorkflowAction {
        case loaded(String)

        func apply(toState state: inout String?, context: ApplyContext<Profile>) -> Never? {
            switch self {
            case .loaded(let name): state = name
            }
            return nil
        }
    }

    func makeInitialState() -> String? { nil }

    func render(state: String?, context: RenderContext<Profile>) -> String {
        guard let state else {
            LoadName(id: id).mapOutput { Action.loaded($0) }.running(in: context)
            return "loading"
        }
        return state
    }
}

/// The code of the article for those who come from workflow-swift, line for line.
@Suite struct ComingFromWorkflowSwiftSnippets {
    @Test @MainActor func aWorkerGivesItsOutput() async throws {
        let host = WorkflowHost(workflow: Profile(id: 7))
        #expect(host.rendering == "loading")
        for await rendering in host.renderings where rendering != "loading" {
            #expect(rendering == "name 7")
            break
        }
    }
}
