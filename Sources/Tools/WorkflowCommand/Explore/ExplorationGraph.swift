import ArgumentParser
import FlowExploring
import FlowPrinting
import FlowREPL
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

enum GraphForm: String, ExpressibleByArgument, CaseIterable {
    case mermaid, dot
}

/// Draws the explored states and the steps between them.
struct ExplorationGraph {
    private static let longestLabel = 40

    private let name: String
    private var nodes: [(label: String, isEnd: Bool)]
    private var arrows: [(from: Int, to: Int, label: String)]

    /// Draws each state, named by the values that distinguish it.
    init(_ seen: FlowExploration) {
        name = seen.flow
        let values = seen.states.map(Self.value)
        let differing = values.dropFirst().reduce(into: Set<String>()) { names, value in
            names.formUnion(values[0].changedNames(in: value))
        }
        nodes = seen.states.map { (Self.label($0, differing), $0.isEnd) }
        arrows = seen.transitions.map { ($0.from, $0.to, $0.step.title) }
    }

    /// Draws one state for each value of a field, and each step between two of them once; throws if
    /// no state has the field.
    init(_ seen: FlowExploration, by path: ValuePath) throws {
        name = seen.flow
        (nodes, arrows) = ([], [])
        let values = seen.states.map { $0.value(at: path) }
        guard values.contains(where: { $0 != nil }) else {
            let names = seen.states.first.map { Self.names($0.rendering) + Self.names($0.state) }
            throw Refusal(
                FlowError(
                    .noFieldSeen, printable(path.description),
                    didYouMean(path.description, among: names ?? [])), .usage)
        }
        var numbers: [Value?: Int] = [:]
        var places: [Int] = []
        for (state, value) in zip(seen.states, values) {
            let number = numbers[value] ?? nodes.count
            if number == nodes.count {
                numbers[value] = number
                let text = value?.string ?? value?.summary(maxLength: Self.longestLabel)
                nodes.append((text ?? "(none)", false))
            }
            places.append(number)
            let stays = state.isEnd || state.isFinal
            nodes[number].isEnd = nodes[number].isEnd || stays
        }
        var drawn: Set<[String]> = []
        for step in seen.transitions {
            let (from, to) = (places[step.from], places[step.to])
            guard drawn.insert(["\(from)", "\(to)", step.step.name]).inserted else { continue }
            arrows.append((from, to, step.step.name))
        }
    }

    private static func names(_ value: Value) -> [String] {
        value.record.map { $0.map(\.key) } ?? []
    }

    func text(_ form: GraphForm) -> String {
        switch form {
        case .mermaid: mermaid
        case .dot: dot
        }
    }

    private var mermaid: String {
        var lines = ["stateDiagram-v2"]
        for (number, node) in nodes.enumerated() {
            // Mermaid has no escapes, so its special characters are written as codes.
            lines.append("    s\(number) : \(node.label.mermaid)")
        }
        lines.append("    [*] --> s0")
        for arrow in arrows {
            lines.append("    s\(arrow.from) --> s\(arrow.to) : \(arrow.label.mermaid)")
        }
        for (number, node) in nodes.enumerated() where node.isEnd {
            lines.append("    s\(number) --> [*]")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var dot: String {
        var lines = ["digraph \(name.dot) {", "    node [shape=box, style=rounded];"]
        for (number, node) in nodes.enumerated() {
            let shape = node.isEnd ? ", peripheries=2" : number == 0 ? ", penwidth=2" : ""
            lines.append("    s\(number) [label=\(node.label.dot)\(shape)];")
        }
        for arrow in arrows {
            lines.append("    s\(arrow.from) -> s\(arrow.to) [label=\(arrow.label.dot)];")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    /// The label of a state: the values that distinguish it.
    private static func label(_ state: FlowExploration.State, _ differing: Set<String>) -> String {
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

extension FlowExploration.State {
    /// The value at a path of the rendering, or else of the state. The names `state` and
    /// `rendering` can begin it.
    fileprivate func value(at path: ValuePath) -> Value? {
        let roots: Value = ["state": state, "rendering": rendering]
        return rendering[path] ?? state[path] ?? roots[path]
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
