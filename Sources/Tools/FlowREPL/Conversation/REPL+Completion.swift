import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension REPL {
    package func completer() async -> Completer {
        let rendering = await session.rendering
        let root = await session.nodes()
        var names: [(name: String, value: Value)] = [
            ("state", root?.state ?? .null), ("rendering", rendering),
            ("props", root?.props ?? .null),
        ]
        if let output = narrator.lastOutput { names.append(("_", output)) }
        if let error = narrator.lastError { names.append(("_error", .record(error.record))) }
        names += variables
        let workers = (root?.all ?? []).flatMap(\.workers)
        return Completer(
            actions: await session.status.actionTypes, fields: knownFields, rendering: rendering,
            names: names, nodes: (root?.all ?? []).prefix(1000).map(\.path.description),
            workers: Set(workers.map(\.name) + workers.map(\.title)).sorted(),
            folder: opened.file?.folderOfPath)
    }

    /// The fields of actions by type: those that the flow's file reads, and those that were sent.
    var knownFields: [String: [String]] {
        sourceFields.merging(sentFields) { read, sent in read + sent.filter { !read.contains($0) } }
    }
}
