package import PlainValue
import Workflow
import WorkflowLua

extension LogHit {
    package var document: Value {
        var record: Value.Record = [
            "step": .int(step), "call": .int(call),
            "node": .string(node.description), "phase": .string(phase.description),
            "file": .string(location.file), "line": .int(location.line),
        ]
        if let failure { record["failure"] = .int(failure) }
        switch content {
        case .success(let content):
            record["text"] = .string(content.text)
            record["values"] = .list(of: content.values)
        case .failure(let error): record["error"] = .string(error.message)
        }
        return .record(record)
    }

    package init?(document: Value) {
        guard let step = document["step"]?.natural, let call = document["call"]?.natural,
            let node = document.path("node"), let file = document["file"]?.string,
            let phase = document["phase"]?.string.map(FlowPhase.init(description:)),
            let line = document["line"]?.natural
        else { return nil }
        let content: Result<Content, FlowError> =
            if let message = document["error"]?.string {
                .failure(FlowError(.lua, message))
            } else {
                .success(
                    Content(
                        text: document["text"]?.string ?? "",
                        values: document["values"]?.list.map(Array.init) ?? []))
            }
        self.init(
            step: step, call: call, node: node, phase: phase,
            location: .init(file: file, line: line), content: content,
            failure: document["failure"]?.natural)
    }
}
