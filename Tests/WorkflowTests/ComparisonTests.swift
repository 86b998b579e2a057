import Testing
import Workflow

private struct Point { var x: Int, y: Int }
private struct Line {
    var name: String
    var points: [Point]
}
private struct Nested {
    var name: String
    var below: [Nested]
}
private enum Style {
    case plain
    case named(String)
}
private final class Service: Equatable {
    static func == (a: Service, b: Service) -> Bool { a === b }
}
private final class Plain {}
private struct Holder {
    weak var weakly: Plain?
    unowned var unowned: Plain
    unowned(unsafe) var unsafe: Plain
    init(_ plain: Plain) { (weakly, unowned, unsafe) = (plain, plain, plain) }
}

/// A leaf with an input of any type, without `Equatable`; it counts its renders.
private struct Leaf<Input>: Workflow {
    var title: String
    var input: Input
    var renders: Renders

    struct Renders: Equatable {
        let count: Count
        static func == (a: Renders, b: Renders) -> Bool { true }
    }
    final class Count { var value = 0 }

    func render(state: Void, context: RenderContext<Leaf>) -> String {
        renders.count.value += 1
        return title
    }
}

@Suite struct ComparisonTests {
    /// The number of renders of a child that gets `inputs` one after another.
    private func renders<Input>(_ inputs: [Input], titles: [String]? = nil) -> Int {
        let count = Leaf<Input>.Count()
        var next = 0
        let host = WorkflowHost(
            workflow: Inline<Sink<Int>> { _, context in
                let leaf = Leaf(
                    title: titles?[next] ?? "title", input: inputs[next],
                    renders: .init(count: count))
                _ = leaf.rendered(in: context)
                return context.makeSink(of: Inline<Sink<Int>>.Action.self).contraMap { .set($0) }
            })
        while next + 1 < inputs.count {
            next += 1
            host.rendering.send(next)
        }
        host.shutDown()
        return count.value
    }

    @Test func inputsWithoutEquatableAreComparedFieldByField() {
        #expect(renders([1, 1, 1]) == 1)
        #expect(renders([1, 2, 2]) == 2)
        #expect(renders([1, 1, 1], titles: ["a", "a", "b"]) == 2)
        #expect(
            renders(["a long text that is on the heap", "a long text that is on " + "the heap"])
                == 1)
        #expect(renders([[1, 2], [1, 2], [1], []]) == 3)
        #expect(renders([Point(x: 1, y: 2), Point(x: 1, y: 2), Point(x: 1, y: 3)]) == 2)
        let line = Line(name: "a", points: [Point(x: 1, y: 2), Point(x: 3, y: 4)])
        var other = line
        other.points[1].y = 5
        #expect(renders([line, line, other, other]) == 2)
        #expect(renders([[line], [line], [other], [], []]) == 3)
        #expect(renders([line, nil, nil, line, other]) == 4)
        #expect(renders([(1, "a"), (1, "a"), (1, "b")]) == 2)
        #expect(renders([Int.self, Int.self, String.self] as [any Any.Type]) == 2)
        #expect(renders([["k": 1], ["k": 1], ["k": 2]]) == 2)
        #expect(renders([Optional([1]), [1], nil, nil, [2]]) == 3)
        // By their bytes, and where these differ by `==`.
        #expect(renders([[Double.nan, 1], [.nan, 1], [.nan, 2]]) == 2)
        #expect(renders([[0.0, 1], [-0.0, 1]]) == 1)
    }

    @Test func whatCannotBeComparedCountsAsChanged() {
        #expect(renders([{}, {}, {}] as [() -> Void]) == 3)
        let (service, plain) = (Service(), Plain())
        #expect(renders([service, service]) == 2)
        #expect(renders([Optional(service), service, nil]) == 3)
        #expect(renders([[service], [service]]) == 2)
        #expect(renders([plain, plain]) == 2)
        #expect(renders([Nested(name: "a", below: []), Nested(name: "a", below: [])]) == 2)
        #expect(renders([Holder(plain), Holder(plain)]) == 2)
        #expect(renders([(1, plain), (1, plain)]) == 2)
        #expect(renders([[1: Style.plain], [1: .plain]]) == 2)
        #expect(renders([1, 1] as [any Equatable]) == 2)
        #expect(renders([[1], [1]] as [any Sequence<Int>]) == 2)
        #expect(renders([nil, Style.plain, nil] as [Any?]) == 3)
        #expect(renders([[plain], [plain]] as [[AnyObject]]) == 2)
        #expect(renders([Style.named("a"), .named("a"), .plain]) == 3)
        #expect(renders([[Style.plain], [.plain]]) == 2)
    }

    @Test func statesOfAnyKindCanBeAskedFor() {
        struct Odd<State>: Workflow {
            let initial: State
            struct Touch: WorkflowAction {
                func apply(toState state: inout State, context: ApplyContext<Odd>) -> Never? { nil }
            }
            func makeInitialState() -> State { initial }
            func render(state: State, context: RenderContext<Odd>) -> Sink<Touch> {
                context.makeSink(of: Touch.self)
            }
        }
        func renders<State>(_ initial: State) -> Int {
            var count = 0
            let host = WorkflowHost(workflow: Odd(initial: initial))
            host.onRendering = { _ in count += 1 }
            host.rendering.send(.init())
            return count
        }
        #expect(renders(1 as any Equatable) == 1)
        #expect(renders(Plain() as AnyObject) == 1)
        #expect(renders({} as () -> Void) == 1)
        #expect(renders(Style.plain) == 1)
        #expect(renders((1, "a")) == 0)
        #expect(renders(Line(name: "a", points: [])) == 0)
    }

    @Test func statesWithoutEquatableAreComparedFieldByField() {
        struct Editor: Workflow {
            struct State {
                var lines: [Line]
                var title: String
            }
            struct Rename: WorkflowAction {
                var title: String
                func apply(toState state: inout State, context: ApplyContext<Editor>) -> Never? {
                    state.title = title
                    return nil
                }
            }
            let renders: Leaf<Int>.Count
            func makeInitialState() -> State {
                State(lines: [Line(name: "a", points: [])], title: "")
            }
            func render(state: State, context: RenderContext<Editor>) -> Sink<Rename> {
                renders.value += 1
                return context.makeSink(of: Rename.self)
            }
        }
        let renders = Leaf<Int>.Count()
        let host = WorkflowHost(workflow: Editor(renders: renders))
        host.rendering.send(.init(title: "b"))
        host.rendering.send(.init(title: "b"))
        #expect(renders.value == 2)
    }

    @Test func aStateIsRenderedAfterAnEquatableClassInItChangedInPlace() {
        #expect(rendersAfterChange(in: Model(), \.self) == 2)
        #expect(rendersAfterChange(in: Optional(Model()), \Model?.!) == 2)
        #expect(rendersAfterChange(in: [Model()], \[Model].[0]) == 2)
        #expect(rendersAfterChange(in: ["a": Model()], \[String: Model].["a"]!) == 2)
        #expect(rendersAfterChange(in: Shown(name: "a", model: Model()), \.model) == 2)
        #expect(rendersAfterChange(in: [Shown(name: "a", model: Model())], \.[0].model) == 2)
        #expect(rendersAfterChange(in: Loose(name: "a", model: Model()), \.model) == 2)
        #expect(
            rendersAfterChange(in: ContiguousArray([Model()]), \ContiguousArray<Model>.[0]) == 2)
        // A key path is an object that never changes.
        #expect(renders([\Shown.name, \.name, \.name]) == 1)
    }

    private func rendersAfterChange<State>(in state: State, _ model: KeyPath<State, Model>) -> Int {
        let count = Leaf<Int>.Count()
        let host = WorkflowHost(
            workflow: Changing(initial: state, model: { $0[keyPath: model] }, renders: count))
        host.rendering.send(.init(number: 1))
        return count.value
    }

    #if DEBUG
        @Test func inputsThatCannotBeComparedAreReportedOnce() {
            var reports: [String] = []
            let options = HostOptions(onReport: { reports.append("\($0)") })
            let host = WorkflowHost(
                workflow: Inline<Sink<Int>> { _, context in
                    for key in ["1", "2"] {
                        _ = Tapped(title: "a", onTap: {}).rendered(in: context, key: key)
                    }
                    return context.makeSink(of: Inline<Sink<Int>>.Action.self)
                        .contraMap { .set($0) }
                }, options: options)
            #expect(reports == [])
            for number in 1...3 { host.rendering.send(number) }
            #expect(
                reports == [
                    """
                    Inline/Tapped:1 renders whenever its parent does, because its inputs cannot be \
                    compared: onTap, a () -> (); make Tapped Equatable, or pass a sink in place of \
                    the closure
                    """
                ])
        }
    #endif
}

private struct Tapped: Workflow {
    var title: String
    var onTap: () -> Void

    func render(state: Void, context: RenderContext<Tapped>) -> String { title }
}

private final class Model: Equatable {
    var number = 0

    static func == (a: Model, b: Model) -> Bool { a.number == b.number }
}
private struct Shown: Equatable {
    var name: String
    var model: Model
}
private struct Loose {
    var name: String
    var model: Model
}

private struct Changing<State>: Workflow {
    let initial: State
    let model: (State) -> Model
    let renders: Leaf<Int>.Count

    struct Change: WorkflowAction {
        var number: Int
        func apply(toState state: inout State, context: ApplyContext<Changing>) -> Never? {
            context.workflow.model(state).number = number
            return nil
        }
    }

    func makeInitialState() -> State { initial }

    func render(state: State, context: RenderContext<Changing>) -> Sink<Change> {
        renders.value += 1
        return context.makeSink(of: Change.self)
    }
}
