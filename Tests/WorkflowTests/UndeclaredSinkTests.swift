import Testing
import Workflow

private struct Form: Workflow {
    enum State: Equatable {
        case editing
        case submitted(Int)
    }

    struct Rendering {
        var state: State
        var submit: (() -> Void)?
        var submitSink: Sink<Submit>?
        var outputs: Sink<String>?
        var reset: Sink<Reset>
    }

    struct Submit: WorkflowAction, Sendable {
        func apply(toState state: inout State, context: ApplyContext<Form>) -> String? {
            switch state {
            case .editing: state = .submitted(1)
            case .submitted(let count): state = .submitted(count + 1)
            }
            return "submitted"
        }
    }

    struct Reset: WorkflowAction, Sendable {
        func apply(toState state: inout State, context: ApplyContext<Form>) -> String? {
            state = .editing
            return nil
        }
    }

    typealias Output = String

    var fails = false

    func makeInitialState() -> State { .editing }

    func render(state: State, context: RenderContext<Form>) -> Rendering {
        var rendering = Rendering(state: state, reset: context.makeSink(of: Reset.self))
        if state == .editing {
            rendering.submit = context.makeEventHandler(action: Submit())
            rendering.submitSink = context.makeSink(of: Submit.self)
            rendering.outputs = context.makeOutputSink()
        } else if fails {
            context.fail(TestError("not now"))
        }
        return rendering
    }
}

@Suite struct UndeclaredSinkTests {
    private let report = """
        report: an action for Form was dropped: its sink is of an earlier rendering, and the last render \
        did not make it again
        """

    @Test func aSecondTapOnAButtonThatHasGoneIsDroppedAndReported() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Form(), options: journal.options())
        host.onOutput = { journal.note($0) }
        let first = host.rendering
        first.submit?()
        #expect(journal.take() == ["submitted"])
        first.submit?()
        #expect(journal.take() == [report])
        let outcomes = [first.submitSink?.send(Form.Submit()), first.outputs?.send("more")]
        #expect(outcomes.map { $0?.brief } == ["dropped: notDeclared", "dropped: notDeclared"])
        #expect(journal.take() == [report, report])
        #expect(host.rendering.state == .submitted(1))
        // The same sinks work again after a render makes them.
        first.reset.send(Form.Reset())
        first.submit?()
        #expect(journal.take() == ["submitted"])
        #expect(host.rendering.state == .submitted(1))
    }

    @Test func aHostMayApplyThemAllTheSame() {
        let journal = Journal()
        var options = journal.options()
        options.appliesUndeclared = true
        let host = WorkflowHost(workflow: Form(), options: options)
        let first = host.rendering
        first.submit?()
        first.submit?()
        #expect(host.rendering.state == .submitted(2))
        #expect(journal.take() == [])
    }

    @Test func whatIsShownCountsWhenALaterPassFailed() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Form(fails: true), options: journal.options())
        let first = host.rendering
        first.submit?()
        // The rendering with the button is still shown.
        #expect(host.rendering.state == .editing)
        // It is applied, and its pass fails too.
        let outcome = first.submitSink?.send(Form.Submit())
        #expect(outcome?.brief == "failed")
        #expect(host.state(of: Form.self, at: "Form") == .submitted(2))
        host.update(workflow: Form())
        _ = journal.take()
        first.submit?()
        #expect(journal.take() == [report])
    }

    @Test func aSinkFromOutsideThatNoRenderMadeIsNeverRefused() throws {
        struct Silent: Workflow {
            struct Add: WorkflowAction, Sendable {
                func apply(toState state: inout Int, context: ApplyContext<Silent>) -> Never? {
                    state += 1
                    return nil
                }
            }
            func makeInitialState() -> Int { 0 }
            func render(state: Int, context: RenderContext<Silent>) -> Int { state }
        }
        let host = WorkflowHost(workflow: Silent())
        let sink = try #require(host.sink(of: Silent.Add.self, at: "Silent"))
        sink.send(Silent.Add())
        sink.send(Silent.Add())
        #expect(host.rendering == 2)
    }
}
