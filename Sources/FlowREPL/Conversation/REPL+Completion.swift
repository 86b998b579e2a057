import PlainValue
import WorkflowKit
import WorkflowLua

extension REPL {
    /// What is known now, for completion.
    package func completer() async -> Completer {
        let rendering = await session.rendering
        let root = await session.nodes()
        var names: [(name: String, value: Value)] = [
            ("state", root?.state ?? .null), ("rendering", rendering),
            ("props", root?.props ?? .null),
        ]
        if let output = transcript.lastOutput { names.append(("_", output)) }
        if let error = transcript.lastError { names.append(("_error", .record(error.record))) }
        return Completer(
            actions: await session.status.actionTypes, fields: knownFields, rendering: rendering,
            names: names, nodes: (root?.all ?? []).prefix(1000).map(\.path))
    }

    /// The fields of actions by their types: those that were sent, and those that the flow's file reads.
    var knownFields: [String: [String]] {
        sourceFields.merging(sentFields) { read, sent in read + sent.filter { !read.contains($0) } }
    }
}
