import FlowOrigins
@testable import FlowProtocol
import LuaVM
import TestFlows
import PlainValue
import TestSupport
import Testing
import Workflow
@testable import WorkflowKit
import WorkflowLua

/// All that tells of a random session's past agrees. The first that fails is shown, reduced.
@Suite(.timeLimit(.minutes(15))) struct PastConformanceTests {
    @Test(arguments: [LuaVM.Options.Isolation.none, .process])
    func allThatTellOfThePastAgree(_ isolation: LuaVM.Options.Isolation) async throws {
        var random = SeededNumbers.printed()
        // Each process takes as long as several sessions.
        let problem = try await PastAction.firstProblem(
            in: isolation == .none ? 200 : 10, using: &random
        ) { try await PastSession.problem(of: $0, isolation) { try await $0.problem() } }
        if let problem { Issue.record("\(problem)") }
    }

    /// Cases that were found by these tests, which looked different to each who looked.
    @Test(arguments: [
        [PastAction.add, .add, .add, .keep(by: 10), .add], [.add, .undo, .branch],
        [.keep(by: 2), .drop, .migrate], [.drop, .undo, .migrate], [.push(2), .undo, .migrate],
        [.add, .go(82), .migrate], [.fail, .replay(by: 3), .add, .push(4), .undo],
        [.fail, .replay(by: 3), .push(5), .push(3), .go(94)],
        [.add, .undo, .replay(by: 8), .keep(by: 1)],
        [.push(1), .see(1), .add, .keep(by: 9), .undo, .migrate],
    ]) func allAgreeAfter(_ actions: [PastAction]) async throws {
        let problem = try await PastSession.problem(of: actions) { try await $0.problem() }
        #expect(problem == nil)
    }
}

extension PastSession {
    fileprivate func problem() async throws -> String? {
        let (shown, count) = (await session.step, await session.stepCount)
        var known: [Value] = []
        for step in 0...count {
            // The step that is shown is rendered by the code of now.
            let rendering = try await session.rendering(at: step)
            if let seen = renderings[step], step != shown, seen != rendering {
                return "step \(step) was \(seen), and is \(rendering)"
            }
            known.append(rendering)
        }
        if let problem = try await problemOfLooks(known) { return problem }
        if let problem = try await problemOfCopies(known) { return problem }
        if let problem = try await problemOfRecording(known) { return problem }
        for step in 0...count {
            if let problem = try await problemOfLog(known, step) { return problem }
            if let problem = try await problemOfOrigins(known, step) { return problem }
        }
        return nil
    }

    private func problemOfLooks(_ known: [Value]) async throws -> String? {
        try await session.isolated { session throws(FlowError) -> String? in
            let player = session.player
            let shown = session.step
            for step in known.indices {
                guard try player.look(at: step).rendering == known[step] else {
                    return "the moment of step \(step) is another"
                }
            }
            var found: [Int: Value] = [:]
            try player.search(from: 0, through: session.stepCount) { step, rendering, _, _ in
                found[step] = rendering
                return true
            }
            for step in known.indices where step != shown && found[step] != known[step] {
                return "a search finds \(found[step] ?? .null) at step \(step), not \(known[step])"
            }
            let steps = try session.steps()
            guard steps.count == known.count - 1 else { return "there are \(steps.count) steps" }
            for step in known.indices.dropFirst() where step != shown && step - 1 != shown {
                var transition: Rehearsal.Played?
                try player.transitions(step...step) { _, _, played in
                    transition = played
                    return true
                }
                guard let transition, transition.renderingBefore == known[step - 1],
                    transition.rendering == known[step], transition.step == step
                else { return "the transition to step \(step) is another" }
                let changed = known[step - 1].withoutSinks.changedNames(
                    in: known[step].withoutSinks)
                guard steps[step - 1].changed == changed else {
                    return "step \(step) changed \(steps[step - 1].changed), not \(changed)"
                }
            }
            return nil
        }
    }

    /// A recording that is exported leads to what is shown, and its debugger goes the same way.
    private func problemOfCopies(_ known: [Value]) async throws -> String? {
        let shown = await session.step
        let text = try await session.recordingText()
        let recording = try FlowRecording(parsing: text)
        let copy = try await recording.makeSession(
            of: source, options: FlowOptions(limits: .unhurried))
        let differences = try await recording.replay(in: copy)
        let rendering = await copy.rendering
        await copy.close()
        guard differences.isEmpty else { return "its recording replays otherwise: \(differences)" }
        guard rendering == known[shown] else {
            return "its recording leads to \(rendering), not \(known[shown])"
        }
        return nil
    }

    /// The recording leads to what is shown, and knows the same steps or says that it does not.
    private func problemOfRecording(_ known: [Value]) async throws -> String? {
        let (shown, count) = (await session.step, await session.stepCount)
        let recording = try FlowRecording(path: recording)
        var options = FlowOptions(limits: .unhurried)
        options.limits.isolation = isolation
        let copy = try await recording.makeSession(of: source, options: options)
        let differences = try await recording.replay(in: copy)
        let problem = try await problem(
            of: copy, with: differences, known, shown: shown, count: count)
        await copy.close()
        return problem
    }

    private func problem(
        of copy: FlowSession, with differences: [ReplayDifference], _ known: [Value], shown: Int,
        count: Int
    ) async throws -> String? {
        // What was recorded before all inputs were played again was of other files.
        if let difference = differences.first, !hasReplayed {
            return "its recording file replays otherwise: \(difference)"
        }
        guard await copy.step == shown, await copy.stepCount == count else {
            return "its recording file leads to step \(await copy.step) of \(await copy.stepCount)"
        }
        guard await copy.rendering == known[shown] else {
            return "its recording file leads to \(await copy.rendering), not \(known[shown])"
        }
        let lost = await copy.lostSteps
        for step in known.indices where step != shown {
            do throws(FlowError) {
                let rendering = try await copy.rendering(at: step)
                guard rendering == known[step] else {
                    return "its recording file has \(rendering) at step \(step), not \(known[step])"
                }
            } catch {
                guard lost != nil, error.message == FlowError.notReplayable(step...step).message
                else { return "step \(step) of its recording file: \(error)" }
            }
        }
        return nil
    }

    /// A log point in an action sees the state of the step before, at the number of its step.
    private func problemOfLog(_ known: [Value], _ step: Int) async throws -> String? {
        let shown = await session.step
        guard step > 0, step != shown, step - 1 != shown else { return nil }
        let point = try LogPoint(parsing: "sum.lua:\(PastFlowFile.lineOfAdd): {state.n}")
        let hits = try await session.log([point], steps: step...step).filter { $0.failure == nil }
        let isAdd =
            if case .action(let action, _) = await session.inputs[step - 1].kind {
                action["type"] == "add"
            } else {
                false
            }
        guard hits.count == (isAdd ? 1 : 0) else { return "\(hits.count) hits in step \(step)" }
        guard let hit = hits.first else { return nil }
        let before = known[step - 1]["n"] ?? .null
        guard hit.step == step, try hit.content.get().values == [before] else {
            return "the log of step \(hit.step) begins at \(hit.content), not at \(before)"
        }
        return nil
    }

    /// A value is as old as the last step that changed it.
    private func problemOfOrigins(_ known: [Value], _ step: Int) async throws -> String? {
        guard await session.step == known.count - 1 else { return nil }
        for name in ["n", "big", "ticks"] {
            let path = try ValuePath(parsing: name)
            let last = known[...step].indices.last {
                $0 == 0 || known[$0][path] != known[$0 - 1][path]
            }
            let origin = try await session.origin(of: path, at: step)
            guard origin.since == last else {
                return "\(name) of step \(step) is since step \(origin.since), not \(last ?? 0)"
            }
        }
        return nil
    }
}

extension FlowSession {
    fileprivate func isolated<Result: Sendable>(
        _ body: @Sendable (isolated FlowSession) throws(FlowError) -> Result
    ) throws(FlowError) -> Result { try body(self) }
}
