import Testing
import Workflow

/// A large list, and the actions of several spellings that change its first number.
private struct Numbers: Workflow {
    struct State {
        var name = "numbers"
        var list = [Int](repeating: 0, count: 10_000)

        /// The address of the list, which changes with a copy.
        var address: UInt { list.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    struct Rendering {
        var first: Int
        var address: UInt
        var set: Sink<Set>
        var tryToSet: Sink<TryToSet>
        var event: Sink<Int>
        var failing: Sink<String>
        var update: StateMutationSink<Numbers>
    }

    struct Set: WorkflowAction {
        var first: Int

        func apply(toState state: inout State, context: ApplyContext<Numbers>) -> Never? {
            state.list[0] = first
            return nil
        }
    }

    struct TryToSet: WorkflowAction {
        var first: Int

        func apply(toState state: inout State, context: ApplyContext<Numbers>) throws -> Never? {
            state.list[0] = first
            if first < 0 { throw TestError("negative") }
            return nil
        }
    }

    var count = 10_000

    func makeInitialState() -> State { State(list: [Int](repeating: 0, count: count)) }

    func render(state: State, context: RenderContext<Numbers>) -> Rendering {
        Rendering(
            first: state.list[0], address: state.address, set: context.makeSink(of: Set.self),
            tryToSet: context.makeSink(of: TryToSet.self),
            event: context.makeSink(of: Int.self) { event, state in
                state.list[0] = event
                return nil
            },
            failing: context.makeSink(of: String.self) { event, state in
                state.list[0] = 9
                guard let number = Int(event) else { throw TestError(event) }
                state.list[0] = number
                return nil
            }, update: context.makeStateMutationSink())
    }
}

private struct Forwarding: Workflow {
    struct Child: Workflow {
        struct Tell: WorkflowAction {
            var number: Int

            func apply(toState state: inout [Int], context: ApplyContext<Child>) -> Int? {
                state[0] = number
                return number
            }
        }

        struct Rendering {
            var first: Int
            var tell: Sink<Tell>
            var update: StateMutationSink<Child>
            var address: UInt
        }

        typealias Output = Int

        func makeInitialState() -> [Int] { [Int](repeating: 0, count: 10_000) }

        func render(state: [Int], context: RenderContext<Child>) -> Rendering {
            Rendering(
                first: state[0], tell: context.makeSink(of: Tell.self),
                update: context.makeStateMutationSink(),
                address: state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
        }
    }

    func render(state: Void, context: RenderContext<Forwarding>) -> Child.Rendering {
        Child().rendered(in: context) { number in
            AnyWorkflowAction<Forwarding> { _ in
                if number < 0 { throw TestError("negative") }
                return nil
            }
        }
    }
}

@Suite struct InPlaceTests {
    private let host = WorkflowHost(workflow: Numbers(), options: HostOptions(onReport: { _ in }))

    @Test func anActionThatCannotFailCopiesNoLargeCollection() {
        let address = host.rendering.address
        host.rendering.set.send(.init(first: 1))
        #expect(host.rendering.first == 1)
        host.rendering.event.send(2)
        #expect(host.rendering.first == 2)
        host.rendering.update.send { $0.list[0] = 3 }
        host.rendering.update.send(\.list[1], value: 4)
        #expect(host.rendering.first == 3)
        #expect(host.rendering.address == address)
    }

    @Test func anActionThatCanFailGoesBackToACopy() {
        let address = host.rendering.address
        host.rendering.tryToSet.send(.init(first: 1))
        #expect(host.rendering.first == 1)
        #expect(host.rendering.address != address)
        host.rendering.tryToSet.send(.init(first: -1))
        host.rendering.failing.send("no number")
        #expect(host.rendering.first == 1)
        host.rendering.failing.send("7")
        #expect(host.rendering.first == 7)
    }

    @Test func anActionWhoseOutputAParentCanRefuseGoesBackToACopy() {
        let host = WorkflowHost(workflow: Forwarding(), options: HostOptions(onReport: { _ in }))
        host.rendering.tell.send(.init(number: 1))
        #expect(host.rendering.first == 1)
        host.rendering.tell.send(.init(number: -1))
        #expect(host.rendering.first == 1)
        let address = host.rendering.address
        host.rendering.update.send { $0[0] = 5 }
        #expect(host.rendering.first == 5)
        #expect(host.rendering.address == address)
    }

    @Test func aSmallStateThatStaysAsItWasIsNotRendered() {
        let host = WorkflowHost(workflow: Numbers(count: 10))
        var renderings = 0
        host.onRendering = { _ in renderings += 1 }
        host.rendering.set.send(.init(first: 0))
        #expect(renderings == 0)
        host.rendering.set.send(.init(first: 1))
        #expect(renderings == 1)
    }
}
