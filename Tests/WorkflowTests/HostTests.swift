import TestSupport
import Testing
import Workflow

@Suite struct HostTests {
    @Test func aRenderingIsPublishedBeforeTheOutputsOfItsAction() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Counter())
        host.onRendering = { journal.note("rendered \($0.count)") }
        host.onOutput = { journal.note("output \($0) at \(host.rendering.count)") }
        host.rendering.sink.send(.addAndEmit(2, "x"))
        #expect(journal.take() == ["rendered 2", "output x at 2"])
        host.onOutput = nil
        host.onRendering = nil
    }

    @Test func anActionThatChangesNothingPublishesNothing() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Counter())
        host.onRendering = { _ in journal.note("rendered") }
        host.rendering.sink.send(.add(0))
        #expect(journal.take() == [])
    }

    @Test func updateRendersWhenTheInputsDiffer() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Counter(name: "a"))
        host.onRendering = { _ in journal.note("rendered") }
        host.update(workflow: Counter(name: "a"))
        #expect(journal.take() == [])
        host.update(workflow: Counter(name: "b"))
        #expect(journal.take() == ["rendered"])
    }

    @Test func anUpdateAfterTheEndDoesNothing() {
        let host = WorkflowHost(workflow: Counter(name: "a"))
        host.shutDown()
        host.update(workflow: Counter(name: "b"))
        #expect(host.describeTree().inputs == #"Counter(name: "a", start: 0)"#)
    }

    @Test func onlyChangedNodesAndTheirAncestorsRender() {
        struct Branch: Workflow, Equatable {
            var name: String
            var depth: Int
            var journal: Journal
            func makeInitialState() -> Int { 0 }
            func render(state: Int, context: RenderContext<Branch>) -> [Sink<Tick>] {
                journal.note("\(name)")
                guard depth > 0 else { return [context.makeSink(of: Tick.self)] }
                return ["l", "r"].flatMap {
                    Branch(name: name + $0, depth: depth - 1, journal: journal)
                        .rendered(in: context, key: $0)
                }
            }
            struct Tick: WorkflowAction {
                func apply(toState state: inout Int, context: ApplyContext<Branch>) -> Never? {
                    state += 1
                    return nil
                }
            }
            static func == (a: Branch, b: Branch) -> Bool { a.name == b.name && a.depth == b.depth }
        }
        let journal = Journal()
        let host = WorkflowHost(workflow: Branch(name: "", depth: 3, journal: journal))
        #expect(journal.take().count == 15)
        host.rendering[5].send(Branch.Tick())
        #expect(journal.take() == ["", "r", "rl", "rlr"])
    }

    @Test func releasingAHostEndsItsTree() {
        let journal = Journal()
        func run() {
            let host = WorkflowHost(
                workflow: Inline<Void> { _, context in
                    context.runSideEffect(key: 1) { lifetime in
                        nonisolated(unsafe) let journal = journal
                        lifetime.onEnded { journal.note("ended") }
                    }
                })
            _ = host.rendering
        }
        run()
        #expect(journal.take() == ["ended"])
    }

    @Test func shutDownReleasesWhatTheTreeHeld() {
        final class Token {}
        weak var token: Token?
        var host: WorkflowHost<Inline<Sink<Inline<Void>.Action>>>?
        do {
            let made = Token()
            token = made
            host = WorkflowHost(
                workflow: Inline { _, context in
                    Inline<Sink<Inline<Void>.Action>> { _, context in
                        context.runSideEffect(key: 1) { [made] _ in _ = made }
                        return Sink { _ in }
                    }.ignoringOutput().rendered(in: context)
                })
        }
        #expect(token != nil)
        host?.shutDown()
        host = nil
        #expect(token == nil)
    }

    @Test func actionsThatAreQueuedWhenAHostShutsDownAreDroppedAndReported() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Counter(), options: journal.options())
        host.onRendering = { [unowned host] shown in
            shown.sink.send(.add(1))
            host.shutDown()
        }
        host.rendering.sink.send(.add(1))
        #expect(
            journal.take() == ["report: an action for Counter was dropped: its host has shut down"])
    }

    @Test func aShutDownFromWithinARenderComesAfterThePass() {
        let journal = Journal()
        weak var host: WorkflowHost<Inline<Int>>?
        let made = WorkflowHost(
            workflow: Inline<Int> { state, context in
                if state == 1 { host?.shutDown() }
                let child = Inline<Int> { _, context in
                    context.runSideEffect(key: 1) { lifetime in
                        nonisolated(unsafe) let journal = journal
                        lifetime.onEnded { journal.note("ended") }
                    }
                    return 10
                }.ignoringOutput().rendered(in: context)
                context.runSideEffect(key: state) {
                    [sink = context.makeSink(of: Inline<Int>.Action.self)] _ in
                    journal.note("began \(state)")
                    if state == 0 { sink.send(.set(0)) }
                }
                return state + child
            }, options: journal.options())
        host = made
        #expect(journal.take() == ["began 0"])
        made.sink(of: Inline<Int>.Action.self, at: NodePath([.init(name: "Inline")]))?.send(.set(1))
        #expect(made.rendering == 11)
        #expect(journal.take() == ["began 1", "ended"])
    }

    @Test func aHostReleasedByItsOwnOutputCallbackEndsAfterIt() {
        let journal = Journal()
        var host: WorkflowHost<Counter>? = WorkflowHost(
            workflow: Counter(), options: journal.options())
        let sink = host?.rendering.sink
        host?.onOutput = { output in
            host = nil
            journal.note("output \(output)")
        }
        sink?.send(.emit("last"))
        #expect(journal.take() == ["output last"])
        sink?.send(.emit("later"))
        #expect(
            journal.take() == ["report: an action for Counter was dropped: its host has shut down"])
    }

    @Test func aChangeOfInputsThatFailsKeepsTheOldOnesAndIsTriedAgain() {
        struct Picky: Workflow, Equatable {
            var text: String
            func makeInitialState() -> String { text }
            func workflowDidChange(from previousWorkflow: Picky, state: inout String) throws {
                state = text
                if text == "bad" { throw TestError("no \(text)") }
            }
            func render(state: String, context: RenderContext<Picky>) -> String { state }
        }
        let journal = Journal()
        let host = WorkflowHost(workflow: Picky(text: "a"), options: journal.options())
        host.update(workflow: Picky(text: "bad"))
        #expect(host.rendering == "a")
        #expect(journal.take() == ["report: Picky failed to render: no bad"])
        host.update(workflow: Picky(text: "b"))
        #expect(host.rendering == "b")
        #expect(host.renderFailures.isEmpty)
    }

    @Test func aTreeMayBeAsDeepAsTheLimitAndSaysWhenItIsReached() {
        struct Deep: Workflow {
            func render(state: Void, context: RenderContext<Deep>) -> Int {
                guard context.allowsChildren else { return 1 }
                return 1 + Deep().rendered(in: context)
            }
        }
        #expect(WorkflowHost(workflow: Deep()).rendering == 1000)
        let shallow = HostOptions(maximumDepth: 7)
        #expect(WorkflowHost(workflow: Deep(), options: shallow).rendering == 7)
    }

    @Test func aTreeOfNativeNodesMayBeAsDeepAsTheStackAllows() {
        struct Tower: Workflow {
            var height: Int
            func render(state: Void, context: RenderContext<Tower>) -> Int {
                guard height > 1 else { return 1 }
                return 1 + Tower(height: height - 1).rendered(in: context)
            }
        }
        onStack(of: 64 << 20) {
            let host = WorkflowHost(workflow: Tower(height: 10_000))
            #expect(host.rendering == 10_000)
            host.update(workflow: Tower(height: 9999))
            #expect(host.rendering == 9999)
            // On a stack where it could not have been rendered.
            nonisolated(unsafe) let tree = host
            onStack(of: 256 << 10) { tree.shutDown() }
            #expect(!host.hasNode(at: "Tower/Tower"))
        }
    }

    @Test func descriptionsAndSnapshotsLeaveOutNodesTooDeepForTheStack() {
        struct Tower: Workflow {
            var height: Int
            func makeInitialState() -> Int { height }
            func render(state: Int, context: RenderContext<Tower>) {
                if height > 1 { Tower(height: height - 1).rendered(in: context) }
            }
        }
        onStack(of: 64 << 20) {
            nonisolated(unsafe) var reports: [String] = []
            let options = HostOptions(onReport: { reports.append("\($0)") })
            nonisolated(unsafe) let host = WorkflowHost(
                workflow: Tower(height: 10_000), options: options)
            #expect(depth(of: host.describeTree(), \.children) == 10_000)
            #expect(host.makeSnapshot().lost.isEmpty)
            #expect(reports.isEmpty)
            onStack(of: 256 << 10) {
                let described = depth(of: host.describeTree(), \.children)
                #expect((2..<10_000).contains(described))
                #expect(
                    reports == [
                        """
                        the description ends at Tower/Tower/Tower/Tower/Tower/Tower/Tower/Tower, \
                        \(described) nodes deep: the stack of the thread has no room for more; ask for \
                        it on a thread with a larger stack
                        """
                    ])
                let snapshot = host.makeSnapshot()
                let kept = depth(of: snapshot.root, \.children)
                #expect((2..<10_000).contains(kept))
                #expect(
                    snapshot.lost.map(\.reason) == [
                        """
                        its children are \(kept + 1) nodes deep; take the snapshot on a thread with a \
                        larger stack
                        """
                    ])
            }
        }
    }

    @Test func aLateValueIsReportedWithThePathOfItsNodeHoweverDeepThatWas() {
        struct Tower: Workflow {
            var height: Int
            func makeInitialState() {}
            struct Tap: WorkflowAction {
                func apply(toState state: inout Void, context: ApplyContext<Tower>) -> Never? {
                    nil
                }
            }
            func render(state: Void, context: RenderContext<Tower>) -> Sink<Tap> {
                height == 1
                    ? context.makeSink(of: Tap.self)
                    : Tower(height: height - 1).rendered(in: context, key: "\(height - 1)")
            }
        }
        onStack(of: 64 << 20) {
            nonisolated(unsafe) var dropped: [NodePath] = []
            nonisolated(unsafe) let host = WorkflowHost(
                workflow: Tower(height: 5000),
                options: HostOptions(onReport: {
                    if case .dropped(let path, .hostShutDown) = $0 { dropped.append(path) }
                }))
            let sink = host.rendering
            onStack(of: 128 << 10) { host.shutDown() }
            // The host belongs to this thread again.
            _ = host.rendering
            sink.send(.init())
            #expect(dropped.map(\.components.count) == [5000])
            #expect(dropped.first?.components.last?.description == "Tower:1")
            #expect(dropped.first?.components.dropFirst().first?.description == "Tower:4999")
        }
    }

    @Test func aTreeWithoutEndReportsAndTrapsBeforeTheStackIsFull() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            struct Endless: Workflow {
                func render(state: Void, context: RenderContext<Endless>) {
                    Endless().rendered(in: context)
                }
            }
            onStack(of: 512 << 10) { _ = WorkflowHost(workflow: Endless()) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let message = """
            nodes deep at Endless/Endless/Endless/Endless/Endless/Endless/Endless/Endless, and the \
            stack of its thread is nearly full; does a workflow render itself?
            """
        // Once as a report of the host, once as the reason for the trap.
        #expect(output.split(separator: message).count == 3)
        #expect(output.hasPrefix("workflow: the workflow tree is "))
    }

    @Test func anEndlessTreeWhoseNodesTakeMuchStackReportsAndTrapsInTime() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            struct Wide: Workflow {
                func render(state: Void, context: RenderContext<Wide>) {
                    withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { room in
                        room[0] = 1
                        Wide().rendered(in: context)
                    }
                }
            }
            onStack(of: 512 << 10) { _ = WorkflowHost(workflow: Wide()) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.hasPrefix("workflow: the workflow tree is "), "\(output)")
    }
}

/// The number of levels, where each node has at most one child.
private func depth<Node>(of root: Node, _ children: (Node) -> [Node]) -> Int {
    var depth = 1
    var node = root
    while let next = children(node).first {
        depth += 1
        node = next
    }
    return depth
}
