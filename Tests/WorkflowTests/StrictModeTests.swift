import Testing
import Workflow

private struct Row: Workflow, Equatable {
    var text: String
    func render(state: Void, context: RenderContext<Row>) -> String { text }
}

private struct Shown: Equatable {
    var texts: [String]
    var style: Style
    enum Style { case plain, fancy }
}

@Suite struct StrictModeTests {
    private let journal = Journal()

    private func render<Rendering>(
        _ body: @escaping (Int, RenderContext<Inline<Rendering>>) -> Rendering
    ) -> [String] {
        var options = journal.options()
        options.isStrict = true
        var count = 0
        _ = WorkflowHost(
            workflow: Inline<Rendering> { _, context in
                count += 1
                return body(count, context)
            }, options: options)
        return journal.take()
    }

    private func report(_ differences: String) -> [String] {
        [
            """
            report: Inline, rendered twice with the same state and inputs, \(differences); \
            a render must depend on nothing else
            """
        ]
    }

    @Test func anIdempotentRenderIsNotReported() {
        let noted = render { _, context -> (Shown, () -> Void) in
            context.runSideEffect(key: "e") { _ in journal.note("runs") }
            let sink = context.makeSink(of: Inline<(Shown, () -> Void)>.Action.self)
            let row = Row(text: "row").rendered(in: context)
            return (Shown(texts: [row], style: .plain), { sink.send(.set(1)) })
        }
        #expect(noted == ["runs"])
    }

    @Test func aRenderingThatDiffersIsReportedWithThePlace() {
        #expect(
            render { count, _ -> Shown in
                Shown(texts: ["same", "\(count)"], style: count == 1 ? .plain : .fancy)
            }
                == report(
                    """
                    shows .texts[1] "1", then "2"; shows .style plain, then fancy
                    """))
    }

    @Test func childrenThatDifferAreReported() {
        #expect(
            render { count, context -> Void in
                _ = Row(text: "\(count)").rendered(in: context, key: "changing")
                _ = Row(text: "").rendered(in: context, key: "k\(count)")
            }
                == report(
                    """
                    gives Row:changing inputs Row(text: "1"), then Row(text: "2"); \
                    renders Row:k2 the second time only; renders Row:k1 the first time only
                    """))
    }

    @Test func sideEffectsAndFailuresThatDifferAreReported() {
        #expect(
            render { count, context -> Void in
                context.runSideEffect(key: count) { _ in }
                if count == 2 { context.fail(TestError("late")) }
            }
                == report(
                    """
                    fails the second time: late; runs the side effect 1 the first time only; \
                    runs the side effect 2 the second time only
                    """))
    }
}
