import FlowPrinting
import PlainValue
import Terminal
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

extension REPL {
    func go(to step: Int, _ reply: inout REPLReply) async throws(FlowError) {
        let status = await session.status
        if !status.isInPast { leftWorkers = status.hasRunningWorkers }
        try await session.go(to: step)
        await sayPlace(&reply)
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

    /// Drops the steps after the one that is shown.
    func branch(_ reply: inout REPLReply) async throws(FlowError) {
        let status = await session.status
        let (step, count) = (status.step, status.stepCount)
        guard status.isInPast else { throw FlowError(.lastStep) }
        try await session.branch()
        reply.messages += await news()
        let steps = count - step == 1 ? "1 later step is" : "\(count - step) later steps are"
        reply.say(["  Goes on from \(step); \(steps) given up."])
    }

    // MARK: Looking back

    func timeline() async throws(FlowError) -> [String] {
        let lines = try await timelineLines()
        let status = await session.status
        let style = options.style
        var rows = [["", "0", "", printable(status.name), "(start)", "", ""]]
        for (index, line) in lines.enumerated() {
            let input = line.input
            let time = input.milliseconds - narrator.log.start
            let changed = line.changed.first.map(printable) + (line.gaveOutput ? ["output"] : [])
            let rest = line.changed.count - line.changed.first.count
            rows.append([
                "", String(index + 1), time < 0 ? "before" : Duration.milliseconds(time).text,
                input.node, Self.action(of: line), input.sender,
                changed.joined(separator: ", ") + (rest > 0 ? ", … \(rest) more" : ""),
            ])
        }
        rows[min(status.step, rows.count - 1)][0] = "▸"
        let table = TextTable(
            ["", "#", "after", "node", "action", "from", "changed"], rows: rows,
            rightAligned: [1, 2])
        return table.lines(style: style).map { "  " + $0 }
    }

    /// The action of a step, with its fields if a person sent it.
    private static func action(of line: TimelineLine) -> String {
        guard case .action(let action, _) = line.input.kind else {
            return printable(line.action ?? line.input.title)
        }
        return action.line(ofActionIn: 40)
    }

    /// The input of a step and its effects.
    func describe(step number: Int) async throws(FlowError) -> [String] {
        let lines = try await timelineLines()
        guard number > 0 else {
            return ["  The beginning: nothing has come in yet."]
        }
        // Another program may report more steps than it has inputs for.
        try SessionView.check(number, in: lines.count)
        let line = lines[number - 1]
        let input = line.input
        let time = Duration.milliseconds(max(input.milliseconds - narrator.log.start, 0)).text
        let node = input.node.isEmpty ? "" : " for \(input.node)"
        let title = line.action ?? input.title
        var text = [
            "  Step \(number) of \(lines.count), after \(time): \(printable(title))\(node), "
                + "from \(input.sender)."
        ]
        if let payload = input.payload {
            text += TreePrinter(style: options.style).lines(payload, indent: 4)
        }
        let inputs = lines.map(\.input)
        let before = try await session.rendering(at: number - 1).withoutSinks
        let printer = ChangePrinter(style: options.style, columns: options.columns())
        text += printer.lines(
            from: before, to: try await session.rendering(at: number).withoutSinks)
        let entry = narrator.log.entries(of: inputs)[number - 1]
        for output in entry?.outputs ?? [] {
            if let value = recorded("output", output) { text.append(printer.line("output", value)) }
        }
        if let error = entry?.error { text.append("  error       \(printable(error.message))") }
        return text
    }

    /// The effects of all inputs, from the log if it has them all, otherwise by replaying.
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
            guard let step = Int(natural: word) else { throw FlowError(.noStepNumber, "diff") }
            steps.append(step)
        }
        guard steps.count <= 2 else { throw FlowError(.noSteps) }
        let last: Int
        if let asked = steps.last { last = asked } else { last = await session.status.step }
        let first = steps.count == 2 ? steps[0] : max(last - 1, 0)
        for step in [first, last] { try SessionView.check(step, in: inputs.count) }
        let (before, after) = (
            try await session.rendering(at: first).withoutSinks,
            try await session.rendering(at: last).withoutSinks
        )
        let changes = before.firstDifferences(to: after, limit: ChangePrinter.mostLines)
        guard changes.count > 0 else {
            return ["The rendering after \(last) is the same as after \(first)."]
        }
        return ChangePrinter(style: options.style, columns: options.columns()).lines(changes)
    }
}

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
    /// The last component of the input's node.
    var node: String {
        let path: NodePath? =
            switch kind {
            case .action(_, let node): node
            case .worker(let news): news.node
            case .props: nil
            }
        return printable(path?.components.last?.description ?? "")
    }

    /// The input's data besides the action type; `nil` if there is none.
    fileprivate var payload: Value? {
        switch kind {
        case .action(let action, _):
            guard case .record(var fields) = action else { return nil }
            fields["type"] = nil
            return fields.isEmpty ? nil : .record(fields)
        case .worker(let news):
            switch news.event {
            case .output(let output): return output
            case .failed(let error): return error.value
            case .started, .finished, .cancelled, .abandoned: return nil
            }
        case .props(let props): return props
        }
    }

    fileprivate var sender: String {
        switch kind {
        case .action, .props: "you"
        case .worker(let news):
            printable(news.key.isEmpty ? news.worker : "\(news.worker):\(news.key)")
        }
    }
}

extension Value {
    /// The action as typed, cut to a width.
    fileprivate func line(ofActionIn width: Int) -> String {
        guard case .record(var fields) = self,
            let type = fields.removeValue(forKey: "type")?.string, !fields.isEmpty
        else { return printable(self["type"]?.string ?? string ?? "action") }
        let text = printable(type) + "{ … }"
        let room = width - displayWidth(type) - 1
        return room < 12 ? text : printable(type) + " " + Value.record(fields).line(width: room)
    }
}
