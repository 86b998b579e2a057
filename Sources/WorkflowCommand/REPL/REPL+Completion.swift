import PlainValue
import WorkflowKit
import WorkflowLua

extension REPL {
    /// What is known now, for completion.
    func completer() async -> Completer {
        let rendering = await session.rendering
        var names: [(name: String, value: Value)] = [
            ("state", await session.state() ?? .null), ("rendering", rendering),
            ("props", await session.props),
        ]
        if let output = transcript.lastOutput { names.append(("_", output)) }
        if let error = transcript.lastError { names.append(("_error", .record(error.record))) }
        return Completer(
            actions: await session.actionTypes, fields: knownFields, rendering: rendering,
            names: names, nodes: (await session.nodes()?.all ?? []).prefix(1000).map(\.path))
    }

    /// The fields of actions by their types: those that were sent, and those that the flow's file reads.
    var knownFields: [String: [String]] {
        sourceFields.merging(sentFields) { read, sent in read + sent.filter { !read.contains($0) } }
    }
}
