import FlowOrigins
@testable import FlowServing
import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
@testable import WorkflowKit
import WorkflowLua

/// All that tells of a session's past agrees: in the value, and in the number of the step.
///
/// Random sessions are played and looked at. The first that does not hold is shown, without what
/// can be left out of it.
@Suite(.timeLimit(.minutes(15))) struct PastConformanceTests {
    @Test(arguments: [LuaVM.Configuration.Isolation.none, .process])
    func allThatTellOfThePastAgree(_ isolation: LuaVM.Configuration.Isolation) async throws {
        var random = SeededNumbers.printed()
        let given = ProcessInfo.processInfo.environment["PAST_SESSIONS"].flatMap { Int($0) } ?? 250
        // Each process takes as long as several sessions.
        let count = isolation == .none ? given : given / 20
        for _ in 0..<count {
            let length = Int.random(in: 3...16, using: &random)
            var actions = (0..<length).map { _ in PastAction.random(using: &random) }
            guard var problem = try await PastSession.problem(of: actions, isolation) else {
                continue
            }
            var index = 0
            while index < actions.count {
                var fewer = actions
                fewer.remove(at: index)
                if let other = try await PastSession.problem(of: fewer, isolation) {
                    (actions, problem) = (fewer, other)
                } else {
                    index += 1
                }
            }
            Issue.record(
                "after \(actions.map(\.description).joined(separator: ", ")): \(problem)")
            return
        }
    }

    /// The case that was first found by these tests, which looked different to each who looked.
    @Test func aKeptStateIsInThePastOfAll() async throws {
        #expect(
            try await PastSession.problem(of: [.add, .add, .add, .keep(by: 10), .add], .none) == nil
        )
    }
}

/// A session with what is known of its steps.
private struct PastSession {
    private let folder: TemporaryFolder
    private let session: FlowSession
    private let isolation: LuaVM.Configuration.Isolation
    private var file = PastFlowFile()
    /// The rendering at each step; `nil` where it was not seen.
    private var renderings: [Value?]

    /// Plays a session.
    ///
    /// - Returns: What does not agree; `nil` if all does.
    static func problem(
        of actions: [PastAction], _ isolation: LuaVM.Configuration.Isolation
    ) async throws -> String? {
        var past = try await PastSession(isolation)
        let problem: String?
        do {
            for action in actions { try await past.play(action) }
            problem = try await past.problem()
        } catch {
            problem = "\(error)"
        }
        await past.session.close()
        return problem
    }

    private init(_ isolation: LuaVM.Configuration.Isolation) async throws {
        folder = try TemporaryFolder()
        try file.write(to: folder)
        var options = FlowOptions(limits: .unhurried)
        options.limits.isolation = isolation
        options.limits.seed = 7
        options.runsWorkers = false
        self.isolation = isolation
        session = try await FlowSession.open(.file(folder.path("sum.lua")), options: options)
        renderings = [await session.rendering]
    }

    private mutating func play(_ action: PastAction) async throws {
        let (step, count) = (await session.step, await session.stepCount)
        let (shown, wasInPast) = (await session.rendering, await session.isInPast)
        switch action {
        case .add: try? await session.send("add")
        case .push(let id):
            let known = await session.state()?["rows"]?.list?.compactMap { $0["id"]?.int } ?? []
            guard !known.contains(id) else { return }
            try? await session.send(["type": "push", "id": .int(id)])
        case .drop: try? await session.send("drop")
        case .roll: try? await session.send("roll")
        case .see(let id): try? await session.send("see", to: "sum/row:\(id)")
        case .tick(let number):
            let news = WorkerNews(
                node: NodePath([.init(name: "sum")]), worker: "clock", key: "",
                event: .output(.int(number)))
            try? await session.play(.worker(news))
        case .fail: try? await session.send("fail")
        case .title(let number):
            try? await session.update(props: ["title": .string("title \(number)")])
        case .undo: try? await session.undo()
        case .redo: try? await session.redo()
        case .branch: try? await session.branch()
        case .go(let part): try? await session.go(to: count * part / 100)
        case .keep(let by):
            file.by = by
            try await reload(.keepingState)
        case .migrate:
            file.version += 1
            try await reload(.keepingState)
        case .replay(let by):
            file.by = by
            try await reload(.replayingInputs)
        }
        let (newStep, newCount) = (await session.step, await session.stepCount)
        if newCount < renderings.count - 1 || newStep > step && newCount <= count && step < count {
            // What came after the step that was shown is given up.
            renderings.removeLast(max(renderings.count - 1 - newCount, 0))
        }
        // The session has gone on from what was shown.
        if wasInPast, action.goesOn, !(await session.isInPast) { renderings[step] = shown }
        while renderings.count <= newCount { renderings.append(nil) }
        if newStep == newCount, !(await session.isInPast) {
            renderings[newStep] = await session.rendering
        }
    }

    private mutating func reload(_ policy: ReloadPolicy) async throws {
        try file.write(to: folder)
        try await session.reload(policy)
        switch policy {
        case .keepingState: renderings[renderings.count - 1] = nil
        case .replayingInputs: renderings = renderings.map { _ in nil }
        }
    }

    // MARK: What is told

    private func problem() async throws -> String? {
        let (shown, count) = (await session.step, await session.stepCount)
        guard renderings.count == count + 1 else {
            return "\(renderings.count - 1) steps were made, and there are \(count)"
        }
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
                var passage: Rehearsal.Played?
                try player.passages(step...step) { _, _, played in
                    passage = played
                    return true
                }
                guard let passage, passage.renderingBefore == known[step - 1],
                    passage.rendering == known[step], passage.step == step
                else { return "the passage to step \(step) is another" }
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
        let recording = try FlowRecording(text: text)
        let copy = try await recording.makeSession(
            of: .file(folder.path("sum.lua")), options: FlowOptions(limits: .unhurried))
        let differences = try await recording.replay(in: copy)
        let rendering = await copy.rendering
        await copy.close()
        guard differences.isEmpty else { return "its recording replays otherwise: \(differences)" }
        guard rendering == known[shown] else {
            return "its recording leads to \(rendering), not \(known[shown])"
        }
        return nil
    }

    /// A log point in an action sees the state of the step before, at the number of its step.
    private func problemOfLog(_ known: [Value], _ step: Int) async throws -> String? {
        let shown = await session.step
        guard step > 0, step != shown, step - 1 != shown else { return nil }
        let point = try LogPoint("sum.lua:\(PastFlowFile.lineOfAdd): {state.n}")
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
    ) throws(FlowError) -> Result {
        try body(self)
    }
}
