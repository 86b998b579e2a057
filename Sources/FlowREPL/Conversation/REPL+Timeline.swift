import FlowPrinting
import PlainValue
import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

extension REPL {
    enum Move { case undo, redo }

    /// Goes a step back or forth.
    func go(_ move: Move, _ reply: inout REPLReply) async throws(FlowError) {
        let status = await session.status
        let (step, count) = (status.step, status.stepCount)
        recordRunningWorkers(status)
        switch move {
        // Asked for here, so that a mere slip is no event of the session.
        case .undo where step == 0:
            throw FlowError(.misuse, "there is nothing to undo: this is the beginning")
        case .redo where step == count:
            throw FlowError(.misuse, "there is nothing to redo: this is the last step")
        case .undo: try await session.go(to: step - 1)
        case .redo: try await session.go(to: step + 1)
        }
        await sayPlace(&reply)
    }

    func go(to step: Int, _ reply: inout REPLReply) async throws(FlowError) {
        let status = await session.status
        try check(step, in: status.stepCount)
        recordRunningWorkers(status)
        try await session.go(to: step)
        await sayPlace(&reply)
    }

    /// Records whether workers are at work now, if this is the last step.
    private func recordRunningWorkers(_ status: FlowStatus) {
        if !status.isInPast { leftWorkers = status.hasRunningWorkers }
    }

    private func check(_ step: Int, in count: Int) throws(FlowError) {
        guard (0...count).contains(step) else {
            throw FlowError(
                .misuse, "there is no step \(step)", help: "steps are counted from 0 to \(count)")
        }
    }

    private func sayPlace(_ reply: inout REPLReply) async {
        reply.messages += await news()
        let status = await session.status
        let (step, count) = (status.step, status.stepCount)
        let workers =
            switch (status.hasRunningWorkers || leftWorkers, status.isInPast) {
            case (true, true): " Workers are held; .goto \(count) lets them go on."
            case (true, false): " Workers go on."
            case (false, _): ""
            }
        reply.say(["  At \(step) of \(count)." + workers])
    }

    /// Goes on from the step that is shown.
    func branch(_ reply: inout REPLReply) async throws(FlowError) {
        let status = await session.status
        let (step, count) = (status.step, status.stepCount)
        guard status.isInPast else {
            throw FlowError(
                .misuse, "there is nothing to give up: this is the last step",
                help: "go back first, by .undo or .goto n")
        }
        try await session.branch()
        reply.messages += await news()
        let steps = count - step == 1 ? "1 later step is" : "\(count - step) later steps are"
        reply.say(["  Goes on from \(step); \(steps) given up."])
    }

    // MARK: Looking back

    func timeline() async throws(FlowError) -> [String] {
        let lines = try await timelineLines()
        let status = await session.status
        let style = settings.style
        var rows = [["", "0", "", printable(status.name), "(start)", "", ""]]
        for (index, line) in lines.enumerated() {
            let input = line.input
            let time = input.milliseconds - narrator.log.start
            let changed = line.changed.first.map(printable) + (line.gaveOutput ? ["output"] : [])
            let rest = line.changed.count - line.changed.first.count
            rows.append([
                "", String(index + 1), time < 0 ? "before" : Duration.milliseconds(time).text,
                input.node,
                printable(line.action ?? input.title), input.sender,
                changed.joined(separator: ", ") + (rest > 0 ? ", … \(rest) more" : ""),
            ])
        }
        rows[min(status.step, rows.count - 1)][0] = "▸"
        let table = TextTable(
            ["", "#", "after", "node", "action", "from", "changed"], rows: rows,
            rightAligned: [1, 2])
        return table.lines(style: style).map { "  " + $0 }
    }

    /// The effects of the inputs so far: those told, and for earlier inputs those asked for.
    private func timelineLines() async throws(FlowError) -> [TimelineLine] {
        var steps = (await session.inputs).map { FlowStep($0) }
        if narrator.log.entries(of: steps.map(\.input)).contains(where: { $0 == nil }) {
            steps = try await session.steps()
        }
        let entries = narrator.log.entries(of: steps.map(\.input))
        return zip(steps, entries).map { step, entry in
            guard let entry else { return TimelineLine(step) }
            return TimelineLine(
                input: step.input, action: entry.action, changed: entry.changed,
                gaveOutput: !entry.outputs.isEmpty)
        }
    }

    func diff(_ argument: String) async throws(FlowError) -> [String] {
        let inputs = await session.inputs
        var steps: [Int] = []
        for word in argument.split(separator: " ") {
            steps.append(try number(String(word), "diff"))
        }
        guard steps.count <= 2 else {
            throw FlowError(.badAction, ".diff takes one step or two")
        }
        let last: Int
        if let asked = steps.last { last = asked } else { last = await session.status.step }
        let first = steps.count == 2 ? steps[0] : max(last - 1, 0)
        for step in [first, last] { try check(step, in: inputs.count) }
        let before = try await rendering(at: first, inputs)
        let changes = before.firstDifferences(
            to: try await rendering(at: last, inputs), limit: ChangePrinter.mostLines)
        guard changes.count > 0 else {
            return ["The rendering after \(last) is the same as after \(first)."]
        }
        return ChangePrinter(style: settings.style, columns: settings.columns()).lines(changes)
    }

    /// The rendering after a step without its sinks: as recorded, or made again.
    private func rendering(at step: Int, _ inputs: [FlowInput]) async throws(FlowError) -> Value {
        let start = narrator.header?.step ?? 0
        if let place = narrator.log.rendering(at: step, of: inputs, from: start),
            let rendering = opened.feed.recording?.event(at: place)?["rendering"]
        {
            return rendering.withoutSinks
        }
        return try await session.rendering(at: step).withoutSinks
    }
}

/// A step as `.timeline` shows it.
private struct TimelineLine {
    let input: FlowInput
    let action: String?
    let changed: StepLog.Names
    let gaveOutput: Bool
}

extension TimelineLine {
    init(_ step: FlowStep) {
        self.init(
            input: step.input, action: step.action, changed: StepLog.Names(step.changed),
            gaveOutput: !step.outputs.isEmpty)
    }
}

extension FlowInput {
    /// The last name in the path of the node that it came to.
    var node: String {
        let path: NodePath? =
            switch kind {
            case .action(_, let node): node
            case .worker(let news): news.node
            case .props: nil
            }
        return printable(path?.components.last?.description ?? "")
    }

    /// Who brought it.
    fileprivate var sender: String {
        switch kind {
        case .action, .props: "you"
        case .worker(let news):
            printable(news.key.isEmpty ? news.worker : "\(news.worker):\(news.key)")
        }
    }
}
