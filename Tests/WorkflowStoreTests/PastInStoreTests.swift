import TestFlows
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// A session in a store tells the same of its past as one that is in no store: in the value, and in
/// the number of the step. It is closed and opened again on the way.
@Suite(.timeLimit(.minutes(15))) struct PastInStoreTests {
    @Test(arguments: StoreKind.allCases)
    func aStoredSessionTellsTheSame(_ kind: StoreKind) async throws {
        var random = SeededNumbers.printed()
        let problem = try await PastAction.firstProblem(in: 40, using: &random) { actions in
            try await StoredPast.problem(of: actions, kind)
        }
        if let problem { Issue.record("\(problem)") }
    }

    /// The case that was first found by these tests.
    @Test(arguments: StoreKind.allCases)
    func stepsThatAreGivenUpStaySo(_ kind: StoreKind) async throws {
        #expect(try await StoredPast.problem(of: [.add, .undo, .branch], kind) == nil)
    }
}

private struct StoredPast {
    private var past: PastSession
    private let store: any SessionStore
    private var stored: StoredSession
    /// The first step that the store can show: there its files were reloaded.
    private var first = 0

    /// Plays a session, and returns the first disagreement.
    static func problem(of actions: [PastAction], _ kind: StoreKind) async throws -> String? {
        var both = try await StoredPast(kind)
        var problem: String?
        do {
            for (index, action) in actions.enumerated() where problem == nil {
                try await both.play(action)
                if index % 4 == 3 { try await both.reopen() }
                problem = try await both.problemNow().map { "\(action): \($0)" }
            }
            try await both.reopen()
            if problem == nil { problem = try await both.problemOfMoments() }
        } catch {
            problem = "\(error)"
        }
        _ = try? await both.stored.close()
        await both.past.session.close()
        return problem
    }

    private init(_ kind: StoreKind) async throws {
        past = try await PastSession()
        store = try await kind.makeStore(in: past.folder)
        stored = try await Self.open(past, store)
    }

    private static func open(
        _ past: PastSession, _ store: any SessionStore
    ) async throws -> StoredSession {
        try await .open(
            "sum", of: past.source, in: store, options: PastSession.options(),
            storage: StoredSessionOptions(snapshotInterval: 3))
    }

    private mutating func reopen() async throws {
        try await stored.close()
        stored = try await Self.open(past, store)
    }

    /// Does something in both, if a stored session can do it.
    private mutating func play(_ action: PastAction) async throws {
        let (step, count) = (await past.session.step, await past.session.stepCount)
        switch action {
        case .undo where step - 1 < first: return
        case .go(let part) where count * part / 100 < first: return
        // Its files are reloaded at the end alone, and with the state kept.
        case .keep, .migrate: if step < count { return }
        case .replay: return
        default: break
        }
        try await past.play(action)
        switch action {
        case .undo: _ = try? await stored.undo()
        case .redo: _ = try? await stored.redo()
        case .go(let part): _ = try await stored.go(to: count * part / 100)
        case .branch: try? await stored.perform { try $0.branch() }
        case .keep, .migrate:
            try await stored.reload()
            first = count
        case .fail: _ = try? await stored.send("fail")
        default:
            guard await past.session.step == step + 1 else { return }
            let input = await past.session.inputs[step]
            _ = try? await stored.play(input.kind)
        }
    }

    private func problemNow() async throws -> String? {
        let (step, count) = (await past.session.step, await past.session.stepCount)
        guard await stored.step == step, await stored.stepCount == count else {
            return "it is stored at step \(await stored.step) of \(await stored.stepCount), not "
                + "\(step) of \(count)"
        }
        let (kept, rendering) = (await stored.rendering, await past.session.rendering)
        return kept == rendering ? nil : "\(kept) is stored at step \(step), not \(rendering)"
    }

    /// The moments of a stored session are those of the other one, or told to be none.
    private func problemOfMoments() async throws -> String? {
        let (count, steps) = (await past.session.stepCount, try await past.session.steps())
        for step in 0...count {
            let rendering = try await past.session.rendering(at: step)
            do {
                let moment = try await stored.moment(at: step)
                guard step >= first, moment.step == step, moment.stepCount == count,
                    moment.rendering == rendering
                else {
                    return "\(moment.rendering) is stored at step \(moment.step), not \(rendering)"
                }
                let outputs = step > first ? steps[step - 1].outputs : []
                guard moment.outputs == outputs else {
                    return "step \(step) has the outputs \(moment.outputs), not \(outputs)"
                }
            } catch let error as StoreError where error.code == .noSuchStep && step < first {}
        }
        guard first < count else { return nil }
        let moments = try await stored.moments(first + 1...count)
        for (step, moment) in zip(first + 1...count, moments) {
            let rendering = try await past.session.rendering(at: step)
            guard moment.step == step, moment.rendering == rendering else {
                return "\(moment.rendering) is among the steps at \(moment.step), not \(rendering)"
            }
        }
        return moments.count == count - first ? nil : "\(moments.count) moments"
    }
}
