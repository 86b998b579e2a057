import FlowPrinting
import FlowProtocol
import PlainValue
package import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

/// Text about a session: its rendering, states, nodes, workers and actions.
package struct SessionView {
    let session: any REPLSession
    let style: Style
    let columns: Int
    /// The known fields of actions by type.
    var fields: [String: [String]] = [:]
    /// True if workers do not run.
    var isReplay = false

    package init(of session: any REPLSession, style: Style, columns: Int) {
        self.session = session
        self.style = style
        self.columns = columns
    }

    func tree(_ value: Value) -> [String] {
        let lines = TreePrinter(style: style).lines(value, indent: 2)
        return lines.isEmpty ? ["  {}"] : lines
    }

    /// The rendering, or the value at a path in it.
    func rendering(at path: String) async throws(FlowError) -> [String] {
        let rendering = await session.rendering
        guard !path.isEmpty else { return tree(rendering) }
        guard let place = try? ValuePath(parsing: path), let value = rendering[place] else {
            let names = rendering.record?.map(\.key) ?? []
            throw FlowError(
                .nothingThere, path, didYouMean(path, among: names), ValuePath.help(onTyped: path))
        }
        return tree(value)
    }

    /// The state of the root, or of a node by its path or the title that ``tree()`` shows.
    func state(of name: String) async throws(FlowError) -> [String] {
        let nodes = await session.nodes()?.all ?? []
        let node: FlowNode?
        if name.isEmpty {
            node = nodes.first
        } else if let known = nodes.first(where: { $0.path.description == name }) {
            node = known
        } else {
            let named = nodes.filter { $0.title == name }
            guard named.count < 2 else {
                throw FlowError(
                    .severalNodes, named.count, name,
                    named.prefix(5).map(\.path.description).joined(separator: ", "))
            }
            node = named.first
        }
        guard let node else {
            throw FlowError(
                .noNode, name,
                didYouMean(name, among: nodes.map(\.path.description) + nodes.map(\.title)))
        }
        guard node.state != .null else {
            return ["  \(printable(node.path.description)) has no state."]
        }
        return tree(node.state)
    }

    /// The nodes with their states and workers.
    func tree() async -> [String] {
        guard let root = await session.nodes() else { return [] }
        /// The most children of a node that are shown.
        let most = 50
        var lines: [String] = []
        func visit(_ node: FlowNode, _ indent: Int) {
            let space = String(repeating: "  ", count: indent + 1)
            let name = printable(node.title)
            let room = max(columns - displayWidth(space + name) - 2, 20)
            let state = node.state == .null ? "" : "  " + node.state.line(width: room)
            lines.append(space + style.cyan(name) + state)
            for worker in node.workers {
                let line = EventGroup.Work(worker: worker.name, key: worker.key, node: node.path)
                    .line(worker.hasEnded ? .finished : .started, columns: columns)
                lines.append(space + "  " + style.dim(line))
            }
            for child in node.children.prefix(most) { visit(child, indent + 1) }
            if node.children.count > most {
                lines.append(space + "  " + style.dim("… \(node.children.count - most) more"))
            }
        }
        visit(root, 0)
        return lines
    }

    /// The workers that the nodes declare.
    func workers() async -> [String] {
        let nodes = await session.nodes()?.all ?? []
        let isHeld = await session.status.isInPast
        let state = isHeld ? "held" : isReplay ? "silent" : "running"
        let rows = nodes.flatMap { node in
            node.workers.map { worker in
                [
                    printable(node.path.description), printable(worker.title),
                    worker.hasEnded ? "finished" : state,
                    worker.input.line(width: max(columns / 2, 20)),
                ]
            }
        }
        guard !rows.isEmpty else { return ["No node declares a worker."] }
        let table = TextTable(["node", "worker", "", "input"], rows: rows)
            .lines(style: style).map { "  " + $0 }
        return table
            + nodes.flatMap { node in node.workers.compactMap { refusal(of: $0, in: node) } }
    }

    /// The reason for which outputs of a worker were refused; `nil` if none was.
    private func refusal(of worker: FlowNode.Worker, in node: FlowNode) -> String? {
        guard let last = worker.refused.last else { return nil }
        let count = worker.refused.count
        return "  "
            + printable(
                "\(worker.title) in \(node.path): "
                    + (count == 1 ? "its output was" : "\(count) outputs were")
                    + " refused by \(node.name): \(last.reason)")
            + (isReplay ? "" : "; .retry gives \(count == 1 ? "it" : "them") again")
    }

    /// The root's actions and the sinks in the rendering.
    func actions() async -> [String] {
        let types = await session.status.actionTypes
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
        // A sink with the name of its action adds nothing.
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
}

extension FlowNode {
    /// The name with the key, as `.tree` shows it.
    var title: String { key.isEmpty ? name : "\(name):\(key)" }
}

extension FlowNode.Worker {
    package var title: String { key.isEmpty ? name : "\(name):\(key)" }
}
