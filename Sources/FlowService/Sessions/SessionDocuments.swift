import PlainValue
import WorkflowKit
import WorkflowStore

extension SessionSummary {
    /// The session in short, as clients are told it.
    var document: Value.Record {
        [
            "id": .string(id), "flow": .string(flow), "step": .int(step), "of": .int(stepCount),
            "created": .string(rfc3339(milliseconds: created)),
            "updated": .string(rfc3339(milliseconds: updated)),
        ]
    }
}

extension SessionMoment {
    /// What a session shows, as clients are told it.
    func document(of id: String) -> Value.Record {
        [
            "id": .string(id), "step": .int(step), "of": .int(stepCount), "rendering": rendering,
            "actions": .list(Value.List(actionTypes.map { .string($0) })),
        ]
    }

    /// What came of a request, as the one who asked is told it.
    func answer(of id: String) -> Value.Record {
        document(of: id).merging(["outputs": .list(Value.List(outputs))])
    }
}
