import PlainValue
import WorkflowKit
import WorkflowLua

// The target steps of `.undo`, `.redo` and `.goto`.
extension SessionView {
    /// The target of `.undo` with a number of steps, with nothing for one, or with `mine` for the
    /// last action. It throws if there is no such step, because a typo is not an event.
    func stepBack(_ argument: String) async throws(FlowError) -> Int {
        let step = await session.status.step
        if argument == "mine" {
            let last = await session.inputs.prefix(step).lastIndex { input in
                if case .action = input.kind { true } else { false }
            }
            guard let last else { throw FlowError(.noActionToUndo) }
            return last
        }
        let count = try Self.count(argument, of: ".undo", or: ", or mine")
        guard step > 0 else { throw FlowError(.nothingToUndo) }
        guard count <= step else { throw Self.tooFar(step, "undo") }
        return step - count
    }

    /// The target of `.redo`.
    func stepForward(_ argument: String) async throws(FlowError) -> Int {
        let status = await session.status
        let count = try Self.count(argument, of: ".redo", or: "")
        let rest = status.stepCount - status.step
        guard rest > 0 else { throw FlowError(.nothingToRedo) }
        guard count <= rest else { throw Self.tooFar(rest, "redo") }
        return status.step + count
    }

    func step(_ argument: String, for command: String) async throws(FlowError) -> Int {
        guard let step = Int(natural: argument) else { throw FlowError(.noStepNumber, command) }
        try Self.check(step, in: await session.status.stepCount)
        return step
    }

    static func check(_ step: Int, in count: Int) throws(FlowError) {
        guard (0...count).contains(step) else { throw FlowError(.noStep, step, count) }
    }

    private static func count(
        _ argument: String, of command: String, or more: String
    ) throws(FlowError) -> Int {
        if argument.isEmpty { return 1 }
        guard let count = Int(natural: argument), count > 0 else {
            throw FlowError(.noStepCount, command, more)
        }
        return count
    }

    private static func tooFar(_ count: Int, _ verb: String) -> FlowError {
        FlowError(.tooFew, count == 1 ? "is only 1 step" : "are only \(count) steps", verb)
    }
}
