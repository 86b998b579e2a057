package import PlainValue
package import Terminal
import WorkflowKit
package import WorkflowLua

/// Formats renderings and log lines.
package struct RenderingPrinter: Sendable {
    package let style: Style

    package init(style: Style) { self.style = style }

    /// The rendering of the flow called `name`, as a tree for a terminal.
    package func tree(_ value: Value, of name: String, mostRows: Int = 200) -> String {
        "\n" + style.bold(printable(name)) + "\n"
            + TreePrinter(style: style, mostRows: mostRows).text(value)
    }

    package func line(_ value: Value) -> String {
        "rendering " + shortened(value).description + "\n"
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
