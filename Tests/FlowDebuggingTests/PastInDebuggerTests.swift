import LuaVM
import TestFlows
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowDebugging

/// A recording's debugger tells the same as the session, both ways: in values and step numbers.
@Suite(.timeLimit(.minutes(15))) struct PastInDebuggerTests {
    @Test func theDebuggerTellsTheSame() async throws {
        var random = SeededNumbers.printed()
        let problem = try await PastAction.firstProblem(in: 60, using: &random) { actions in
            try await PastSession.problem(of: actions) { past in
                try await DebuggedPast(past).problem(of: FlowRecording(path: past.recording))
            }
        }
        if let problem { Issue.record("\(problem)") }
    }

    /// Cases that were found by these tests.
    @Test(arguments: [
        [PastAction.add, .undo, .branch], [.keep(by: 2), .drop, .migrate],
        [.add, .drop, .keep(by: 3), .add],
        [.fail, .add, .keep(by: 3), .undo, .add, .migrate, .add, .drop],
        [.add, .title(3), .replay(by: 8), .keep(by: 1), .add],
        [.push(5), .keep(by: 9), .undo, .fail, .add, .migrate],
        [.add, .add, .keep(by: 2), .go(58), .fail, .redo],
        [.add, .undo, .replay(by: 8), .keep(by: 1)],
    ]) func theDebuggerTellsTheSameAfter(_ actions: [PastAction]) async throws {
        let problem = try await PastSession.problem(of: actions) { past in
            try await DebuggedPast(past).problem(of: FlowRecording(path: past.recording))
        }
        #expect(problem == nil)
    }

    /// A step that differs and is given up later is none of which the debugger tells.
    @Test func aStepThatDiffersCanBeGivenUp() async throws {
        let past = try await PastSession()
        for _ in 1...3 { try await past.session.send("add") }
        try await past.session.go(to: 1)
        try await past.session.send("add")
        let text = try past.folder.text(of: "sum.jsonl")
        // Without their sums, lines may be changed.
        let lines = text.split(separator: "\n").map { line in
            line.replacing(#/,"sum":"[0-9a-f]{16}"}$/#, with: "}")
                .replacing(#""n":3,"#, with: #""n":4,"#)
        }
        let recording = try FlowRecording(parsing: lines.joined(separator: "\n"))
        let first = try await DebuggedPast(past).firstDifference(of: recording)
        #expect(recording.steps[2].rendering?["n"] == 4)
        #expect(first == nil)
        await past.session.close()
    }
}

private actor DebuggedPast {
    private let source: FlowSource
    private let inputs: [FlowInput]
    private let shown: Int
    private var known: [Value] = []

    init(_ past: PastSession) async throws {
        source = past.source
        inputs = await past.session.inputs
        shown = await past.session.step
        for step in 0...inputs.count { known.append(try await past.session.rendering(at: step)) }
    }

    private func replica(of recording: FlowRecording) throws -> Replica {
        let replica = try Replica(
            of: recording, source, options: PastSession.options(),
            interruption: FlowInterrupt(), owner: self)
        for step in recording.steps { try replica.play(step) }
        return replica
    }

    func firstDifference(of recording: FlowRecording) throws -> Int? {
        try replica(of: recording).firstDifference
    }

    func problem(of recording: FlowRecording) throws -> String? {
        let replica = try replica(of: recording)
        let played = replica.inputs
        let steps = played.filter(\.isStep)
        guard steps.map(\.step) == Array(0...inputs.count) else {
            return "the debugger has the steps \(steps.map(\.step))"
        }
        for (step, input) in zip(steps.dropFirst(), inputs) where step.input?.kind != input.kind {
            return "the debugger has \(step) at step \(step.step), not \(input)"
        }
        for (number, step) in played.enumerated() where isTold(number, in: replica) {
            let lines = try replica.lines(of: number)
            guard !lines.lines.isEmpty else { continue }
            let content = try replica.content(of: number, at: 0, among: lines)
            guard content.rendering == known[step.after] else {
                return "step \(step.step) begins with \(content.rendering) in the debugger, not "
                    + "with \(known[step.after])"
            }
        }
        return try problemOfStops(in: replica)
    }

    /// True if the debugger shows the events, and the session no step by other code around them.
    private func isTold(_ number: Int, in replica: Replica) -> Bool {
        let step = replica.inputs[number]
        guard step.input != nil, replica.isAsRecorded(number) else { return false }
        return shown == inputs.count || step.after != shown && step.step != shown
    }

    /// A change of a value stops at its step, in both directions.
    private func problemOfStops(in replica: Replica) throws -> String? {
        let debugger = try Debugger(replica, SecretTexts([])) { false }
        let path = try ValuePath(parsing: "n")
        debugger.set([Breakpoint(id: 1, place: .rendering(path: path))])
        let expected = replica.inputs.indices.filter { number in
            let step = replica.inputs[number]
            return step.isStep && isTold(number, in: replica)
                && known[step.after][path] != known[step.step][path]
        }.map { replica.inputs[$0].step }
        for direction in [Debugger.Direction.forward, .backward] {
            let last = replica.inputs.count - 1
            debugger.moment =
                direction == .forward
                ? Moment(input: 0, line: try debugger.lines(of: 0).lines.count)
                : Moment(input: last, line: try debugger.lines(of: last).lines.count)
            var met: [Int] = []
            while let stop = try debugger.goToStop(direction) {
                let number = debugger.moment.input
                guard isTold(number, in: replica) else { continue }
                let step = replica.inputs[number]
                met.append(step.step)
                guard case .dataBreakpoint(let before, let now) = stop.reason,
                    before == known[step.after][path], now == known[step.step][path]
                else { return "the debugger stops in step \(step.step) by \(stop.reason)" }
            }
            guard met == (direction == .forward ? expected : expected.reversed()) else {
                return "the debugger stops \(direction) at the steps \(met), not at \(expected)"
            }
        }
        return nil
    }
}
