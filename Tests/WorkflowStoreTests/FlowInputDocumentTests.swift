import PlainValue
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct FlowInputDocumentTests {
    private static func news(_ event: WorkerNews.Event, key: String = "") -> FlowInput.Kind {
        .worker(WorkerNews(node: "todo/item:1", worker: "http.get", key: key, event: event))
    }

    @Test(
        arguments: [
            .action(["type": "add", "n": 1.0], node: "todo"), .action("reset", node: "todo/item:1"),
            .props(["step": 2]), .props([:]), news(.output(["a": [1, 2]])), news(.output(.null)),
            news(.finished, key: "k"), news(.failed(WorkerError("gone", "it is gone"))),
            news(.failed(WorkerError("gone", "it is gone", help: "look for it"))),
        ] as [FlowInput.Kind])
    func aDocumentGivesTheInputBack(_ kind: FlowInput.Kind) throws {
        let input = FlowInput(kind, milliseconds: 1_700_000_000_123)
        let document = try Value(json: input.document.json)
        #expect(try FlowInput(document: document) == input)
    }

    @Test(
        arguments: [
            ([:], "an input lacks \"at\""),
            (["at": 1], "an input is neither an action, nor props, nor of a worker"),
            (
                ["at": 1, "action": "a"],
                "an input is neither an action, nor props, nor of a worker"
            ),
            (
                ["at": 1, "node": "a", "worker": "b"],
                "an input is neither an action, nor props, nor of a worker"
            ),
        ] as [(Value, String)])
    func whatIsNoInputIsRefused(_ document: Value, _ message: String) {
        let error = #expect(throws: FlowError.self) { try FlowInput(document: document) }
        #expect(error?.message == message)
    }
}
