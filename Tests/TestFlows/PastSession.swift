package import LuaVM
package import PlainValue
package import TestSupport
import Workflow
package import WorkflowKit
import WorkflowLua

/// A session with what is known of its steps.
package struct PastSession {
    package let folder: Folder
    package let session: FlowSession
    package let isolation: LuaVM.Options.Isolation
    private var file = PastFlowFile()
    /// The rendering at each step; `nil` where it was not seen.
    package private(set) var renderings: [Value?]

    /// True if the session's inputs were played again by other files.
    package private(set) var hasReplayed = false

    /// The flow, as it is now.
    package var source: FlowSource { .file(folder.path("sum.lua")) }

    /// The file that the session is recorded into.
    package var recording: String { folder.path("sum.jsonl") }

    /// The options of a session that plays the flow.
    package static func options(_ isolation: LuaVM.Options.Isolation = .none) -> FlowOptions {
        var options = FlowOptions(limits: .unhurried)
        options.limits.isolation = isolation
        options.limits.seed = 7
        options.runsWorkers = false
        return options
    }

    /// Plays a session.
    ///
    /// - Returns: The first disagreement; `nil` if there is none.
    package static func problem(
        of actions: [PastAction], _ isolation: LuaVM.Options.Isolation = .none,
        _ check: (Self) async throws -> String?
    ) async throws -> String? {
        var past = try await PastSession(isolation)
        let problem: String?
        do {
            for action in actions { try await past.play(action) }
            if let known = await past.problemOfCount() {
                problem = known
            } else {
                problem = try await check(past)
            }
        } catch {
            problem = "\(error)"
        }
        await past.session.close()
        return problem
    }

    package init(_ isolation: LuaVM.Options.Isolation = .none) async throws {
        folder = try Folder()
        try file.write(to: folder)
        self.isolation = isolation
        renderings = []
        var options = Self.options(isolation)
        options.journal = try FlowJournal(path: folder.path("sum.jsonl"))
        session = try await FlowSession.open(.file(folder.path("sum.lua")), options: options)
        renderings = [await session.rendering]
    }

    private func problemOfCount() async -> String? {
        let count = await session.stepCount
        return renderings.count == count + 1
            ? nil : "\(renderings.count - 1) steps were made, and there are \(count)"
    }

    /// Does something.
    package mutating func play(_ action: PastAction) async throws {
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
        case .replayingInputs:
            renderings = renderings.map { _ in nil }
            hasReplayed = true
        }
    }
}
