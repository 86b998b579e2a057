import PlainValue
import WorkflowKit
import WorkflowLua

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// On a terminal, asks for the next action and numbers the sinks of the rendering; elsewhere, nothing.
struct Prompt {
    private let output: OutputStyle
    private let isShown: Bool

    init(output: OutputStyle) {
        self.output = output
        isShown = output.stream.isTerminal && isatty(STDIN_FILENO) == 1
    }

    func show(for session: FlowSession) async {
        guard isShown else { return }
        let sinks = sinksInOrder(await session.rendering)
        let choices = sinks.prefix(20).enumerated().map { index, sink in
            "\(output.style.bold(String(index + 1))) \(printable(sink.path))"
        }
        if !choices.isEmpty {
            output.stream.write("\n  " + choices.joined(separator: "   ") + "\n")
        }
        output.stream.write("› ")
    }

    /// The sink that a typed number stands for; `nil` for a line that is no number.
    ///
    /// - Throws: A ``FlowError`` for a number that no sink has.
    func choice(_ line: String, in session: FlowSession) async throws(FlowError) -> Value? {
        guard isShown, let number = Int(line.trimmed) else { return nil }
        let sinks = sinksInOrder(await session.rendering)
        guard sinks.indices.contains(number - 1) else {
            throw FlowError(
                .badAction, "there is no action with the number \(number)",
                help: sinks.isEmpty
                    ? "write an action, such as add{ text = \"milk\" }"
                    : "type a number from 1 to \(sinks.count), or an action")
        }
        return sinks[number - 1].sink
    }

    /// Ends the line that the prompt began.
    func leave() {
        if isShown { output.stream.write("\n") }
    }
}

/// The sinks in a rendering with their paths, in the order in which they are shown.
func sinksInOrder(_ rendering: Value) -> [(path: String, sink: Value)] {
    var found: [(path: String, sink: Value)] = []
    func visit(_ value: Value, _ path: ValuePath) {
        switch value {
        case .record(let record):
            if record["$sink"] != nil {
                found.append((path.description, value))
                return
            }
            for (key, value) in record { visit(value, path.appending(.key(key))) }
        case .list(let list):
            for (index, value) in list.enumerated() {
                visit(value, path.appending(.index(index + 1)))
            }
        default: break
        }
    }
    visit(rendering, ValuePath())
    return found
}
