import ArgumentParser
import FlowExploring
import PlainValue
import Terminal
import WorkflowKit

/// The language of a graph.
enum GraphForm: String, ExpressibleByArgument, CaseIterable {
    case mermaid, dot
}

/// Draws the explored states and the steps between them.
struct ExplorationGraph {
    private static let longestLabel = 40

    private let seen: FlowExploration
    /// The names in the states, or in the renderings, whose values differ.
    private let differing: Set<String>

    init(_ seen: FlowExploration) {
        self.seen = seen
        let values = seen.states.map(Self.value)
        differing = values.dropFirst().reduce(into: []) { names, value in
            names.formUnion(values[0].changedNames(in: value))
        }
    }

    func text(_ form: GraphForm) -> String {
        switch form {
        case .mermaid: mermaid
        case .dot: dot
        }
    }

    private var mermaid: String {
        var lines = ["stateDiagram-v2"]
        for (number, state) in seen.states.enumerated() {
            // Mermaid has no escapes, so its special characters are written as codes.
            lines.append("    s\(number) : \(label(state).mermaid)")
        }
        lines.append("    [*] --> s0")
        for step in seen.transitions {
            lines.append("    s\(step.from) --> s\(step.to) : \(step.step.title.mermaid)")
        }
        for (number, state) in seen.states.enumerated() where state.isEnd {
            lines.append("    s\(number) --> [*]")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var dot: String {
        var lines = ["digraph \(seen.flow.dot) {", "    node [shape=box, style=rounded];"]
        for (number, state) in seen.states.enumerated() {
            let shape = state.isEnd ? ", peripheries=2" : number == 0 ? ", penwidth=2" : ""
            lines.append("    s\(number) [label=\(label(state).dot)\(shape)];")
        }
        for step in seen.transitions {
            lines.append("    s\(step.from) -> s\(step.to) [label=\(step.step.title.dot)];")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    /// The label of a state: the values that distinguish it.
    private func label(_ state: FlowExploration.State) -> String {
        let value = Self.value(state)
        guard case .record(let record) = value, !differing.isEmpty else {
            return value.summary(maxLength: Self.longestLabel)
        }
        var telling = record
        for (name, _) in record where !differing.contains(name) { telling[name] = nil }
        // If only one value differs anywhere, it needs no name.
        if differing.count == 1, let only = telling.first?.value, let text = only.string {
            return text
        }
        return Value.record(telling).summary(maxLength: Self.longestLabel)
    }

    /// The value that represents a state: its state, or without one its rendering.
    private static func value(_ state: FlowExploration.State) -> Value {
        state.state.isNull ? state.rendering.withoutSinks : state.state
    }
}

extension String {
    fileprivate var mermaid: String {
        var text = ""
        for scalar in printable(self).unicodeScalars {
            switch scalar {
            case "#", ":", ";", "\"", "<", ">", "{", "}", "\\":
                text += "#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    fileprivate var dot: String {
        var text = "\""
        // By scalars, because a quote with a combining mark still ends the text.
        for scalar in printable(self).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        text.unicodeScalars.append("\"")
        return text
    }
}
