import FlowPrinting
import PlainValue
import Terminal
import Workflow
import WorkflowKit

/// Describes a run to a person: the first rendering completely, later ones by their changes.
struct RunNarrator {
    /// The cause of the next rendering.
    private enum Cause {
        case action(String)
        /// An event of a worker, and the action that the flow sent for it, if any.
        case worker(from: String, action: String?)
        case props, reload
        case moved(to: Int, of: Int)
    }

    /// More elements of a list would push earlier output away.
    private static let mostRows = 20
    /// The column where times begin.
    private static let timeColumn = 50

    let style: Style
    let columns: @Sendable () -> Int

    private var name = ""
    /// The last rendering, without its sinks.
    private var rendering: Value?
    private var cause: Cause?
    /// The attached client that caused it.
    private var client: Int?
    private var actionCount = 0
    /// The times of the run's start and of the last output, in milliseconds since 1970.
    private var (start, last) = (0, 0)

    init(style: Style, columns: @escaping @Sendable () -> Int) {
        self.style = style
        self.columns = columns
    }

    /// The text for an event: whole lines, or nothing.
    mutating func text(for event: FlowEvent) -> String {
        if event.isAskedFor { client = event.client }
        switch event.kind {
        case .ready(let header):
            name = header.flow
            (start, last) = (event.milliseconds, event.milliseconds)
        case .action(let action, node: _, source: let source):
            setCause(action.actionName, from: source)
        case .worker(let phase, let worker, key: _, let node):
            switch phase {
            case .output, .finished, .failed:
                // The last name of the path is sufficient; the root needs no name.
                let from = node.components.count > 1 ? node.components.last?.description : nil
                cause = .worker(from: from ?? worker, action: nil)
            case .started, .cancelled, .abandoned: break
            }
        case .props: cause = .props
        case .reloaded: cause = .reload
        case .moved(let step, let count, _): cause = .moved(to: step, of: count)
        case .rendering(let value, _, _):
            return text(rendering: value.withoutSinks, event.milliseconds)
        case .output(let value): return text(output: value, event.milliseconds)
        default: break
        }
        return ""
    }

    private mutating func setCause(_ type: String, from source: String) {
        switch cause {
        case _ where source == "client": cause = .action(type)
        case .worker(let from, action: nil): cause = .worker(from: from, action: type)
        // The output of a child belongs to the input that caused it.
        default: return
        }
        actionCount += 1
    }

    // MARK: Renderings

    private mutating func text(rendering new: Value, _ time: Int) -> String {
        defer {
            rendering = new
            last = time
        }
        guard let old = rendering else {
            return RenderingPrinter(style: style).tree(new, of: name, mostRows: Self.mostRows)
        }
        let lines = [head(time)] + changes(from: old, to: new)
        return "\n" + lines.map { $0 + "\n" }.joined()
    }

    private func head(_ time: Int) -> String {
        let name = printable(name)
        let since = Duration.milliseconds(time - last).text
        let by = client.map { ", by client \($0)" } ?? ""
        let (reason, time): (String, String?) =
            switch cause {
            // A person's thinking time is not the flow's.
            case .action(let type): ("after \(type)\(by)", nil)
            case .worker(let from, let type?): ("after \(type), from \(from)", since)
            case .worker(let from, nil): ("after \(from)", since)
            case .props: ("after new props\(by)", nil)
            case .reload: ("after a reload\(by)", nil)
            case .moved(let step, let count): ("at step \(step) of \(count)\(by)", nil)
            case nil: ("", since)
            }
        let plain = "\(name)  \(printable(reason))"
        let text = style.bold(name) + plain.dropFirst(name.count)
        guard let time else { return text.trimmedEnd }
        return text + gap(after: plain) + style.dim(time)
    }

    private func gap(after text: String) -> String {
        String(repeating: " ", count: max(2, Self.timeColumn - displayWidth(text)))
    }

    private func changes(from old: Value, to new: Value) -> [String] {
        let printer = ChangePrinter(style: style, columns: columns(), indent: 0)
        let found = old.firstDifferences(to: new, limit: ChangePrinter.mostLines)
        guard found.count > 0 else { return ["  " + style.dim("as before")] }
        var lines = printer.lines(found, unfolding: Self.mostRows)
        if let record = new.record, let before = old.record {
            let names = record.filter { before[$0.key] == $0.value }.map { printable($0.key) }
            if !names.isEmpty {
                let text = "… \(names.joined(separator: ", ")) as before"
                lines.append("  " + style.dim(text.cut(to: max(columns() - 2, 20))))
            }
        }
        return lines
    }

    // MARK: Outputs

    private func text(output: Value, _ time: Int) -> String {
        let plain = "✓ \(printable(name)) finished with \(output.description)"
        let actions = String.counted(actionCount, "action")
        let end = "\(actions), \(Duration.milliseconds(time - start).text)"
        return "\n" + style.green("✓") + plain.dropFirst() + gap(after: plain) + style.dim(end)
            + "\n"
    }
}
