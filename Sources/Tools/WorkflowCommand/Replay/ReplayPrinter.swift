import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit

/// Prints the results of a replay for people, or as JSON lines.
struct ReplayPrinter {
    let output: OutputStyle
    let errors: OutputStyle
    let isJSON: Bool

    private var style: Style { output.style }
    private var changes: ChangePrinter { ChangePrinter(style: style, columns: 100) }

    private func write(_ text: String) { output.stream.write(text + "\n") }

    func note(_ text: String) { errors.stream.write("note: \(printable(text))\n") }

    func print(_ difference: ReplayDifference) {
        if isJSON { return write(difference.record.json) }
        print(difference.step, difference.input)
        for line in difference.lines(changes, style) { write(line) }
    }

    private func print(_ step: Int, _ input: FlowInput?) {
        let after = input.map { ", after \($0.title)" } ?? ", the beginning"
        write(style.bold("step \(step)") + printable(after))
    }

    func printRendering(_ rendering: Value, of flow: String) {
        if isJSON {
            return write(Value.record(["type": "rendering", "rendering": rendering]).json)
        }
        let printer = RenderingPrinter(style: style)
        let isTerminal = output.stream.isTerminal
        output.stream.write(
            isTerminal ? printer.tree(rendering, of: flow) : printer.line(rendering))
    }

    /// Prints the first step at which an expression is true.
    func printFound(_ step: Int, _ input: FlowInput?, rendering: Value, of flow: String) {
        if isJSON {
            return write(
                Value.record(["type": "found", "step": .int(step), "rendering": rendering]).json)
        }
        print(step, input)
        printRendering(rendering, of: flow)
    }

    /// Prints the result of the replay: the `lost` steps cannot be replayed, and `differing` steps
    /// have these `differences`.
    func printEnd(
        of recording: FlowRecording, steps: Int, lost: ClosedRange<Int>?, differing: Int,
        differences: Int
    ) {
        let flow = recording.header.flow
        if isJSON {
            return write(
                Value.record([
                    "type": "replay", "flow": .string(flow), "steps": .int(steps),
                    "differences": .int(differences),
                ]).json)
        }
        guard differing > 0 else {
            let which = lost.map { "from step \($0.upperBound + 1) on as recorded" }
            return write(
                "\(style.green("✓")) \(printable(flow)): \(String.counted(steps, "step")), "
                    + (which ?? "all as recorded"))
        }
        write(
            "\(style.red("✗")) \(printable(flow)): "
                + (differing == 1 ? "1 step differs" : "\(differing) steps differ")
                + " from the recording")
    }
}
