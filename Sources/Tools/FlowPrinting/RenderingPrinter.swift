package import PlainValue
package import Terminal
import WorkflowKit
package import WorkflowLua

/// Formats renderings, outputs and log lines: as trees for a terminal, otherwise as single lines.
package struct RenderingPrinter: Sendable {
    package let style: Style
    package let isForTerminal: Bool

    package init(style: Style, isForTerminal: Bool) {
        self.style = style
        self.isForTerminal = isForTerminal
    }

    /// The rendering of the flow called `name`.
    package func rendering(_ value: Value, of name: String) -> String {
        guard isForTerminal else { return "rendering " + shortened(value).description + "\n" }
        let tree = TreePrinter(style: style)
        return "\n" + style.bold(printable(name)) + "\n" + tree.text(value)
    }

    /// An output of the flow called `name`.
    package func output(_ value: Value, of name: String) -> String {
        guard isForTerminal else { return "output " + value.description + "\n" }
        return "\n" + style.green("✓") + " \(printable(name)) finished with \(value.description)\n"
    }

    /// A line that the flow printed.
    package func log(_ message: String, _ location: FlowError.Location?) -> String {
        let place = location.map { "\($0): " } ?? ""
        return style.dim(printable(place)) + printable(message) + "\n"
    }

    /// The value with each sink shortened to its action's type.
    private func shortened(_ value: Value) -> Value {
        if let type = actionType(ofSink: value) { return .string("→ " + type) }
        switch value {
        case .record(let record): return .record(record.mapValues { shortened($0) })
        case .list(let list): return .list(of: list.map { shortened($0) })
        default: return value
        }
    }
}
