import PlainValue
import WorkflowKit
import WorkflowStore

extension SessionSummary {
    var document: Value.Record {
        [
            "id": .string(id), "flow": .string(flow), "step": .int(step), "of": .int(stepCount),
            "created": .string(rfc3339(milliseconds: created)),
            "updated": .string(rfc3339(milliseconds: updated)),
        ]
    }
}

extension SessionMoment {
    func document(of id: String) -> Value.Record {
        [
            "id": .string(id), "step": .int(step), "of": .int(stepCount), "tag": .string(tag),
            "rendering": rendering,
            "actions": .list(of: actionTypes.map { .string($0) }),
        ]
    }

    /// The answer to a change: the state and the outputs.
    func answer(of id: String) -> Value.Record {
        document(of: id).merging(["outputs": .list(of: outputs)])
    }
}
