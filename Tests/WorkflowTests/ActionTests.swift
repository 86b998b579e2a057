import Testing
import Workflow

/// Three levels: each adds a number from below and passes it on; a level fails on demand.
private struct Level: Workflow, Equatable {
    var depth: Int
    var failsAt: Int

    struct Rendering {
        var counts: [Int]
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction, Equatable {
        case add(Int)

        func apply(toState state: inout Int, context: ApplyContext<Level>) throws -> Action? {
            switch self {
            case .add(let amount):
                state += amount
                if context[workflowValue: \.depth] == context.workflow.failsAt {
                    throw TestError("level \(context.workflow.depth) at \(context.path)")
                }
                return .add(amount)
            }
        }
    }

    typealias Output = Action

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Level>) -> Rendering {
        guard depth < 3 else {
            return Rendering(counts: [state], sink: context.makeSink(of: Action.self))
        }
        let child = Level(depth: depth + 1, failsAt: failsAt).rendered(in: context)
        return Rendering(counts: [state] + child.counts, sink: child.sink)
    }
}

@Suite struct ActionTests {
    @Test func anOutputCascadesToTheRootBeforeThePassRenders() {
        let host = WorkflowHost(workflow: Level(depth: 1, failsAt: 0))
        let journal = Journal()
        host.onRendering = { journal.note("rendered \($0.counts)") }
        host.onOutput = { journal.note("output \($0)") }
        host.rendering.sink.send(.add(2))
        #expect(journal.take() == ["rendered [2, 2, 2]", "output add(2)"])
    }

    @Test(arguments: 1...3) func aFailureAtAnyLevelRollsBackTheWholeCascade(level: Int) throws {
        let journal = Journal()
        let host = WorkflowHost(
            workflow: Level(depth: 1, failsAt: level), options: journal.options())
        host.onRendering = { _ in journal.note("rendered") }
        host.onOutput = { journal.note("output \($0)") }
        let outcome = host.rendering.sink.send(.add(2))
        let path = Array(repeating: "Level", count: level).joined(separator: "/")
        let failure = try #require(outcome.failure)
        #expect(failure.phase == .apply)
        #expect(failure.error as? TestError == TestError("level \(level) at \(path)"))
        #expect(host.rendering.counts == [0, 0, 0])
        #expect(
            journal.take() == [
                """
                report: the action sent to Level/Level/Level failed and was rolled back: \
                level \(level) at \(path)
                """
            ])
    }

    @Test func anActionMayReadTheInputsOfItsNodeAsOfTheLastRender() {
        struct Scaled: Workflow {
            var factor: Int
            struct Add: WorkflowAction {
                func apply(toState state: inout Int, context: ApplyContext<Scaled>) -> Never? {
                    state += context[workflowValue: \.factor]
                    return nil
                }
            }
            func makeInitialState() -> Int { 0 }
            func render(
                state: Int, context: RenderContext<Scaled>
            ) -> (count: Int, sink: Sink<Add>) {
                (state, context.makeSink(of: Add.self))
            }
        }
        let host = WorkflowHost(workflow: Scaled(factor: 2))
        host.rendering.sink.send(Scaled.Add())
        host.update(workflow: Scaled(factor: 10))
        host.rendering.sink.send(Scaled.Add())
        #expect(host.rendering.count == 12)
    }

    private struct Switchboard {
        var count: Int
        var sink: Sink<Int>
    }

    private static func action(_ number: Int) -> AnyWorkflowAction<Inline<Switchboard>> {
        switch number {
        case 0: return .noAction
        case 1:
            return AnyWorkflowAction { state in
                state += 1
                return nil
            }
        case 2: return AnyWorkflowAction(sendingOutput: "two")
        case 3:
            return AnyWorkflowAction { state, context in
                state = context.path.description.count
                return "three"
            }
        default:
            return AnyWorkflowAction(AnyWorkflowAction(Inline<Switchboard>.Action.set(number)))
        }
    }

    @Test func anyWorkflowActionComesFromAClosureAnOutputOrAnAction() {
        let journal = Journal()
        let host = WorkflowHost(
            workflow: Inline<Switchboard> { state, context in
                let sink = context.makeSink(of: AnyWorkflowAction<Inline<Switchboard>>.self)
                return Switchboard(count: state, sink: sink.contraMap { Self.action($0) })
            })
        host.onRendering = { journal.note("rendered \($0.count)") }
        host.onOutput = { journal.note("output \($0)") }
        for number in 0...4 { host.rendering.sink.send(number) }
        #expect(
            journal.take() == [
                "rendered 1", "output two", "rendered 6", "output three", "rendered 4",
            ])
    }

    @Test func wrappingAnActionTwiceAddsNoLayer() {
        let once = AnyWorkflowAction<Counter>(Counter.Action.add(1))
        let base = AnyWorkflowAction<Counter>(once).base as? Counter.Action
        #expect(base == .add(1))
        #expect(AnyWorkflowAction<Counter>.noAction.base == nil)
    }
}

@Suite struct ApplyContextTests {
    @Test func aContextThatIsKeptIsReportedWhenItIsRead() throws {
        let journal = Journal()
        let host = WorkflowHost(workflow: Keeping(step: 2), options: journal.options())
        host.rendering.send(.init(keep: { Keeping.kept = $0 }))
        #expect(host.state(of: Keeping.self, at: "Keeping") == 2)
        #expect(journal.take() == [])
        let context = try #require(Keeping.kept)
        let message = """
            report: the apply context of Keeping was used after its action; it is good for that call only
            """
        #expect(context[workflowValue: \.step] == 2)
        #expect(context.workflow.step == 2)
        #expect(journal.take() == [message, message])
        // A later action of its node cannot use it either.
        host.rendering.send(.init(keep: { _ in _ = context.workflow }))
        #expect(journal.take() == [message])
        Keeping.kept = nil
        host.shutDown()
    }
}

private struct Keeping: Workflow {
    nonisolated(unsafe) static var kept: ApplyContext<Keeping>?

    var step: Int

    struct Add: WorkflowAction {
        var keep: (ApplyContext<Keeping>) -> Void

        func apply(toState state: inout Int, context: ApplyContext<Keeping>) -> Never? {
            keep(context)
            state += context.workflow.step
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Keeping>) -> Sink<Add> {
        context.makeSink(of: Add.self)
    }
}
