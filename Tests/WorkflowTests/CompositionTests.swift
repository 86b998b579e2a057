import Testing
import Workflow

private struct Shown {
    var texts: [String] = []
    var sinks: [Sink<Counter.Action>] = []
    var own: Sink<Inline<Shown>.Action>
}

@Suite struct CompositionTests {
    private func host(
        journal: Journal = Journal(),
        _ body: @escaping (Int, RenderContext<Inline<Shown>>, inout Shown) -> Void
    ) -> WorkflowHost<Inline<Shown>> {
        let host = WorkflowHost(
            workflow: Inline { state, context in
                var shown = Shown(own: context.makeSink(of: Inline<Shown>.Action.self))
                body(state, context, &shown)
                return shown
            }, options: journal.options())
        host.onOutput = { journal.note("output \($0)") }
        return host
    }

    @Test func mapOutputTurnsOutputsIntoActionsOfTheParent() {
        let host = host { state, context, shown in
            shown.texts = ["\(state)"]
            shown.sinks = [
                Counter().mapOutput { Inline<Shown>.Action.set($0.count) }
                    .rendered(in: context).sink
            ]
        }
        host.rendering.sinks[0].send(.emit("four"))
        #expect(host.rendering.texts == ["4"])
    }

    @Test func anOutputThatIsMisroutedChangesNothing() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Door(), options: journal.options())
        host.rendering.bell.send(Light.On())
        #expect(host.rendering.state == "closed")
        #expect(
            journal.lines == [
                """
                report: the action sent to Door/Bell failed and was rolled back: the output On is \
                an action of another workflow: a conversion has to render its child with the \
                context and the route that it was given
                """
            ])
    }

    @Test func anOutputMapMayIgnoreAnOutput() {
        let host = host { state, context, shown in
            shown.texts = ["\(state)"]
            shown.sinks = [
                Counter().rendered(in: context) { output in
                    output == "ignored" ? nil : Inline<Shown>.Action.set(output.count)
                }.sink
            ]
        }
        host.rendering.sinks[0].send(.emit("ignored"))
        #expect(host.rendering.texts == ["0"])
        host.rendering.sinks[0].send(.emit("taken"))
        #expect(host.rendering.texts == ["5"])
    }

    @Test func anOutputMapSeesTheValuesOfTheLastRender() {
        let host = host { state, context, shown in
            shown.texts = ["\(state)"]
            shown.sinks = [
                Counter().rendered(in: context) { _ in Inline<Shown>.Action.set(state + 10) }.sink
            ]
        }
        host.rendering.sinks[0].send(.emit(""))
        host.rendering.sinks[0].send(.emit(""))
        #expect(host.rendering.texts == ["20"])
    }

    @Test func mapRenderingAppliesToEachRenderingOfTheChild() {
        let host = host { state, context, shown in
            let child = Counter().mapRendering { ("\($0.count * 2)", $0.sink) }
                .ignoringOutput().rendered(in: context)
            shown.texts = [child.0]
            shown.sinks = [child.1]
        }
        host.rendering.sinks[0].send(.add(4))
        #expect(host.rendering.texts == ["8"])
    }

    @Test func onOutputAdvancesTheParentAndMayEmit() {
        let journal = Journal()
        let host = host(journal: journal) { state, context, shown in
            shown.texts = ["\(state)"]
            shown.sinks = [
                Counter().onOutput { (state: inout Int, output: String) -> String? in
                    state += 1
                    return output + "!"
                }
                .rendered(in: context).sink
            ]
        }
        host.rendering.sinks[0].send(.emit("up"))
        #expect(host.rendering.texts == ["1"])
        #expect(journal.take() == ["output up!"])
    }

    @Test func ignoringOutputDropsOutputsAndKeepsTheState() {
        let journal = Journal()
        let host = host(journal: journal) { state, context, shown in
            let child = Counter().ignoringOutput().rendered(in: context)
            shown.texts = ["\(child.count)"]
            shown.sinks = [child.sink]
        }
        host.rendering.sinks[0].send(.addAndEmit(3, "lost"))
        #expect(host.rendering.texts == ["3"])
        #expect(journal.take() == [])
    }

    @Test func wrappingAWorkflowKeepsItsNode() {
        let host = host { state, context, shown in
            let child: Counter.Rendering
            switch state {
            case 0: child = Counter().ignoringOutput().rendered(in: context)
            case 1: child = Counter().asAnyWorkflow().ignoringOutput().rendered(in: context)
            case 2:
                child = AnyWorkflow(
                    AnyWorkflow(Counter().mapRendering { $0 }).mapOutput { $0 + "!" }
                ).ignoringOutput().rendered(in: context)
            default:
                child = Counter().onOutput { (_: inout Int, text) in text }.rendered(in: context)
            }
            shown.texts = ["\(child.count)"]
            shown.sinks = [child.sink]
        }
        host.rendering.sinks[0].send(.add(5))
        for state in 1...3 {
            host.rendering.own.send(.set(state))
            #expect(host.rendering.texts == ["5"])
        }
    }

    @Test func anyWorkflowComposesTransformsAndShowsItsBase() {
        let wrapped = AnyWorkflow(Counter(name: "base"))
        #expect((AnyWorkflow(wrapped).base as? Counter) == Counter(name: "base"))
        let journal = Journal()
        let host = host(journal: journal) { state, context, shown in
            let child = AnyWorkflow(
                AnyWorkflow(Counter(start: 2)).mapOutput { $0 + "1" }.mapRendering {
                    ("<\($0.count)>", $0.sink)
                }
            ).mapOutput { $0 + "2" }.mapRendering { ("[\($0.0)]", $0.1) }
                .mapOutput { Inline<Shown>.Action.emit($0) }.rendered(in: context)
            shown.texts = [child.0]
            shown.sinks = [child.1]
        }
        #expect(host.rendering.texts == ["[<2>]"])
        host.rendering.sinks[0].send(.emit("o"))
        #expect(journal.take() == ["output o12"])
    }
}

/// A parent that hands its context down, with which a child is rendered that is not its own.
private struct Door: Workflow {
    func makeInitialState() -> String { "closed" }

    func render(
        state: String, context: RenderContext<Door>
    ) -> (state: String, bell: Sink<Light.On>) {
        (state, Light(door: context).rendered(in: context))
    }
}

private struct Light: Workflow {
    struct On: WorkflowAction {
        func apply(toState state: inout Int, context: ApplyContext<Light>) -> Never? {
            state += 1
            return nil
        }
    }

    struct Bell: Workflow {
        typealias Output = Light.On
        func render(state: Void, context: RenderContext<Bell>) -> Sink<Light.On> {
            context.makeOutputSink()
        }
    }

    struct Bridge: AnyWorkflowConvertible {
        typealias Output = Light.On
        var door: RenderContext<Door>

        func render<Parent, Route: OutputRoute<Light.On>>(
            in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
        ) -> Sink<Light.On> {
            Bell().render(in: door, key: key, site: site, route: route)
        }
    }

    var door: RenderContext<Door>

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Light>) -> Sink<Light.On> {
        Bridge(door: door).rendered(in: context)
    }
}
