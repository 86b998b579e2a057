import PlainValue
import WorkflowKit
import WorkflowLua

// Goes to an earlier or later hit of a line.
extension DebugAdapter {
    /// The steps in which a line ran, as targets.
    func gotoTargets(_ arguments: Value) throws -> Value {
        let debugger = try stopped()
        guard let file = file(arguments["source"]), let wanted = try arguments.natural("line"),
            let line = codeLines(of: file).first(from: wanted)
        else { throw FlowError(.noCodeOfFlow) }
        view.targets = try debugger.inputs(throughLine: line, of: file).map { input in
            StoppedView.Target(input: input, file: file, line: line)
        }
        let targets = view.targets.enumerated().map { index, target -> Value in
            [
                "id": .int(index + 1), "line": .int(line),
                "label": .string(debugger.replica.inputs[target.input].label(of: nil)),
            ]
        }
        return ["targets": .list(of: targets)]
    }

    func go(to arguments: Value) throws -> () async -> Void {
        let debugger = try stopped()
        guard let number = try arguments.natural("targetId"),
            view.targets.indices.contains(number - 1)
        else { throw FlowError(.noTarget) }
        let target = view.targets[number - 1]
        return {
            await self.reporting {
                try debugger.go(toLine: target.line, of: target.file, in: target.input)
                self.halt("goto")
            }
        }
    }
}
