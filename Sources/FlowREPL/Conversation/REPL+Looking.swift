import FlowPrinting
import PlainValue
import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Shows a value as a tree.
    func show(_ value: Value, _ reply: inout REPLReply) {
        let text = TreePrinter(style: settings.style).text(value)
        guard !text.isEmpty else { return reply.say(["  {}"]) }
        reply.messages.append(REPLMessage(kind: .result, text: text))
    }

    func showState(_ path: String, _ reply: inout REPLReply) async throws(FlowError) {
        let nodes = await session.nodes()?.all ?? []
        guard
            let node = path.isEmpty
                ? nodes.first : nodes.first(where: { $0.path.description == path })
        else {
            throw FlowError(
                .unknownNode,
                "there is no node '\(path)'"
                    + didYouMean(path, among: nodes.map(\.path.description)),
                help: ".tree shows the nodes")
        }
        guard node.state != .null else {
            return reply.say(["  \(printable(node.path.description)) has no state."])
        }
        show(node.state, &reply)
    }

    func tree() async -> [String] {
        guard let root = await session.nodes() else { return [] }
        /// The most children of one node that are shown.
        let most = 50
        var lines: [String] = []
        func visit(_ node: FlowNode, _ indent: Int) {
            let space = String(repeating: "  ", count: indent + 1)
            let name = printable(node.key.isEmpty ? node.name : "\(node.name):\(node.key)")
            let room = max(settings.columns() - displayWidth(space + name) - 2, 20)
            let state = node.state == .null ? "" : "  " + node.state.line(width: room)
            lines.append(space + settings.style.cyan(name) + state)
            for worker in node.workers {
                let line = EventGroup.Work(worker: worker.name, key: worker.key, node: node.path)
                    .line(worker.hasEnded ? .finished : .started, columns: settings.columns())
                lines.append(space + "  " + settings.style.dim(line))
            }
            for child in node.children.prefix(most) { visit(child, indent + 1) }
            if node.children.count > most {
                lines.append(
                    space + "  " + settings.style.dim("… \(node.children.count - most) more"))
            }
        }
        visit(root, 0)
        return lines
    }

    func workers() async -> [String] {
        let nodes = await session.nodes()?.all ?? []
        let isHeld = await session.status.isInPast
        let state = isHeld ? "held" : opened.isReplay ? "silent" : "running"
        let rows = nodes.flatMap { node in
            node.workers.map { worker in
                [
                    printable(node.path.description),
                    printable(worker.key.isEmpty ? worker.name : "\(worker.name):\(worker.key)"),
                    worker.hasEnded ? "finished" : state,
                    worker.input.line(width: max(settings.columns() / 2, 20)),
                ]
            }
        }
        guard !rows.isEmpty else { return ["No node declares a worker."] }
        return TextTable(["node", "worker", "", "input"], rows: rows)
            .lines(style: settings.style).map { "  " + $0 }
    }

    func actions() async -> [String] {
        let types = await session.status.actionTypes
        let fields = knownFields
        let sinks = sinksInOrder(await session.rendering)
        var rows = types.map { type in
            let names = fields[type] ?? []
            return [
                printable(type),
                names.isEmpty ? "" : "{ \(printable(names.joined(separator: ", "))) }",
            ]
        }
        /// The most sinks that are shown.
        let most = 50
        // A sink that is called like the action that it sends says nothing new.
        let others = sinks.filter { sink in
            !(types.contains(sink.path) && actionType(ofSink: sink.sink) == sink.path)
        }
        rows += others.prefix(most).map { sink in
            [printable(sink.path), "→ " + printable(actionType(ofSink: sink.sink) ?? "?")]
        }
        guard !rows.isEmpty else { return ["There is nothing to send."] }
        let width = rows.map { displayWidth($0[0]) }.max() ?? 0
        var lines = rows.map { "  " + ($0[0].padded(to: width) + "  " + $0[1]).trimmedEnd }
        if others.count > most { lines.append("  … \(others.count - most) more sinks") }
        return lines
    }

    func trace() throws(FlowError) -> [String] {
        let error = try lastError()
        var lines = [printable(error.message)]
        var frames = error.frames.map { frame in
            let place = "\(frame.location.file):\(frame.location.line)"
            return "  " + printable(place + (frame.function.map { " in \($0)" } ?? ""))
        }
        if frames.isEmpty, let location = error.location {
            frames = ["  " + printable("\(location.file):\(location.line)")]
        }
        lines += frames.isEmpty ? ["  It was raised outside of Lua."] : frames
        return lines
    }

    func locals() throws(FlowError) -> [String] {
        let error = try lastError()
        guard !error.locals.isEmpty else { return ["The last error has no local variables."] }
        let width = error.locals.map { displayWidth(printable($0.name)) }.max() ?? 0
        return error.locals.map { local in
            "  \(printable(local.name).padded(to: width))  \(printable(local.value))"
        }
    }

    private func lastError() throws(FlowError) -> FlowError {
        guard let error = narrator.lastError else {
            throw FlowError(.misuse, "there was no error so far")
        }
        return error
    }
}
