import PlainValue
import WorkflowKit
import WorkflowLua

extension FlowError {
    /// The error as a value with the source around its place, for clients of a socket.
    var recordWithExcerpt: Value.Record {
        var record = record
        if let excerpt {
            record["excerpt"] = [
                "line": .int(excerpt.firstLine),
                "lines": .list(of: excerpt.lines.map { .string($0) }),
            ]
        }
        return record
    }

    /// The error as a value with secrets masked, with the source around its place.
    func record(hiding secrets: SecretTexts) -> Value.Record {
        secrets.hiding(event: .record(recordWithExcerpt)).record ?? [:]
    }
}
