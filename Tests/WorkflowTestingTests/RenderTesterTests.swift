import Testing
import Workflow
import WorkflowTesting

@Suite struct RenderTesterTests {
    private func loading() -> RenderTester<Profile> {
        Profile().renderTester().expectWorker(LoadName(id: 7), producingOutput: "Grace")
            .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "fake")
            .expectSideEffect(key: "log")
    }

    @Test func aRenderWithAllThatItDeclaresPasses() {
        var badges: [Int] = []
        Profile().renderTester(initialState: .init(name: "Ada", taps: 3))
            .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "fake") {
                badges.append($0.count)
            }
            .expectSideEffect(key: "log")
            .render { rendering in
                #expect(rendering.title == "Ada")
                #expect(rendering.badge == "fake")
            }
            .assertNoAction().assertNoOutput().assert(state: .init(name: "Ada", taps: 3))
        #expect(badges == [3])
    }

    @Test func theOutputOfAWorkerIsAppliedAfterTheRender() {
        loading()
            .render { #expect($0.title == "Loading") }
            .assert(action: Profile.Action.loaded("Grace"))
            .assert(state: .init(name: "Grace"))
            .assertStateModifications { $0.name = "Grace" }
    }

    @Test func aSinkOfTheRenderingAppliesActions() {
        loading()
            .render { rendering in
                rendering.sink.send(.tapped)
                rendering.sink.send(.done)
            }
            .assert(state: .init(name: "Grace", taps: 7)).assert(output: "Grace")
    }

    @Test func outputsOfChildrenAndActionsOfSideEffectsAreApplied() {
        Profile().renderTester(initialState: .init(name: "Ada"))
            .expectSideEffect(key: "log", producingAction: Profile.Action.loaded("Linus"))
            .expectWorkflow(
                type: Badge.self, key: "badge", producingRendering: "", producingOutput: 1
            )
            .render().assert(output: "Linus")
    }

    @Test func aFailureOfAWorkerIsReported() {
        Profile().renderTester().expectWorker(LoadName(id: 7), failingWith: Profile.Refusal())
            .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
            .expectSideEffect(key: "log")
            .expectReport("the worker Profile/LoadName failed: not now")
            .render().assertNoAction()
    }

    @Test func whatWasNotExpectedFails() {
        #expect(
            failures { Profile().renderTester().render() } == [
                """
                The render declares LoadName, which was not expected:
                  WorkerWorkflow( worker: LoadName(id: 7) )

                Steps so far:
                  1. rendered Profile(id: 7) with Profile.State( name: nil, taps: 0 )
                """,
                """
                The render declares the side effect "log", which was not expected.

                Steps so far:
                  1. rendered Profile(id: 7) with Profile.State( name: nil, taps: 0 )
                """,
                """
                The render declares Badge:badge, which was not expected:
                  Badge(count: 0)

                Steps so far:
                  1. rendered Profile(id: 7) with Profile.State( name: nil, taps: 0 )
                """,
            ])
    }

    @Test func whatWasExpectedAndNotDeclaredFails() {
        let messages = failures {
            Profile().renderTester(initialState: .init(name: "Ada")).expectWorker(LoadName(id: 8))
                .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
                .expectWorkflow(type: Badge.self, key: "other", producingRendering: "")
                .expectSideEffect(key: "log").expectSideEffect(key: 5).render()
        }
        #expect(
            messages.map { $0.split(separator: "\n")[0] } == [
                "The render does not declare the worker LoadName, LoadName(id: 8).",
                "The render does not declare the child Badge:other.",
                "The render does not declare the side effect 5.",
            ])
    }

    @Test func anActionThatIsMissingOrAnotherFails() {
        struct Other: WorkflowAction, Equatable {
            func apply(toState state: inout Profile.State, context: ApplyContext<Profile>)
                -> String?
            { nil }
        }
        func first(of test: (RenderTester<Profile>) -> Void) -> String? {
            failures { test(loading()) }.first.map { String($0.prefix { $0 != "\n" }) }
        }
        #expect(
            first { $0.render().assert(action: Other()) } == """
                The action is Profile.Action.loaded("Grace"), of another type; expected \
                RenderTesterTests.Other().
                """)
        #expect(first { $0.render().assert(action: Profile.Action.done) } == "The action differs:")
        #expect(
            failures {
                Profile().renderTester(initialState: .init(name: "Ada"))
                    .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
                    .expectSideEffect(key: "log")
                    .render().assert(action: Profile.Action.done)
            }.first?.prefix { $0 != "\n" } == "There was no action; expected Profile.Action.done.")
    }

    @Test func reportsThatDifferFail() {
        let messages = failures {
            Profile().renderTester().expectWorker(LoadName(id: 7), failingWith: Profile.Refusal())
                .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
                .expectSideEffect(key: "log").expectReport("all is well").render()
        }
        #expect(
            messages.first?.hasPrefix(
                """
                The reports differ:

                    [
                  -   [0]: "all is well"
                  +   [0]: "the worker Profile/LoadName failed: not now"
                    ]
                """) == true)
    }

    @Test func aFailureFailsTheTest() {
        withKnownIssue {
            loading().render().assertNoAction()
        } matching: { issue in
            issue.comments.first?.rawValue.hasPrefix("Unexpected action: Profile.Action.loaded")
                == true
        }
    }

    @Test func aStateThatDiffersFailsWithTheDifferenceAndTheSteps() {
        #expect(
            failures { loading().render().assert(state: .init(name: "Grace", taps: 1)) } == [
                """
                The state differs:

                    Profile.State(
                      name: "Grace",
                  -   taps: 1
                  +   taps: 0
                    )

                (expected: -, actual: +)

                Steps so far:
                  1. rendered Profile(id: 7) with Profile.State( name: nil, taps: 0 )
                  2. applied Profile.Action.loaded("Grace")
                """
            ])
    }

    private struct Erased: Workflow {
        func render(state: Void, context: RenderContext<Erased>) -> [String] {
            let badge = Badge(count: 1).mapRendering { $0.uppercased() }.asAnyWorkflow()
            let other = Badge(count: 2).asAnyWorkflow()
            return [
                badge.rendered(in: context, key: "a") { AnyWorkflowAction(sendingOutput: $0) },
                other.rendered(in: context, key: "b") { AnyWorkflowAction(sendingOutput: $0) },
            ]
        }

        typealias Output = Int
    }

    @Test func anExpectationOfAnErasedTypeMatchesAChildThatIsRenderedAsOne() {
        var counts: [Int] = []
        Erased().renderTester()
            .expectWorkflow(
                type: AnyWorkflow<String, Int>.self, key: "a", producingRendering: "1",
                producingOutput: 4
            )
            .expectWorkflow(
                type: AnyWorkflow<String, Int>.self, key: "b", producingRendering: "2"
            ) { counts.append(($0.base as? Badge)?.count ?? 0) }
            .render { #expect($0 == ["1", "2"]) }.assert(output: 4)
        #expect(counts == [2])
        // What is wrapped is found by its own type, too.
        Erased().renderTester()
            .expectWorkflow(type: Badge.self, key: "a", producingRendering: "one")
            .expectWorkflow(type: AnyWorkflow<String, Int>.self, key: "b", producingRendering: "")
            .render { #expect($0 == ["ONE", ""]) }
    }

    @Test func anErasedTypeOfAnotherRenderingDoesNotMatch() {
        let messages = failures {
            Erased().renderTester()
                .expectWorkflow(type: AnyWorkflow<Int, Int>.self, key: "a", producingRendering: 1)
                .expectWorkflow(type: Badge.self, key: "b", producingRendering: "").render()
        }
        #expect(
            messages.map { $0.split(separator: "\n")[0] } == [
                "The render declares Badge:a, which was not expected:",
                "The render does not declare the child AnyWorkflow<Int, Int>:a.",
            ])
    }

    @Test func twoErasedChildrenOfOneTypeAndKeyFail() {
        struct Twins: Workflow {
            func render(state: Void, context: RenderContext<Twins>) -> [String] {
                [1, 2].map { count in
                    Badge(count: count).asAnyWorkflow().rendered(in: context) { _ in
                        AnyWorkflowAction<Twins>.noAction
                    }
                }
            }
        }
        let messages = failures {
            Twins().renderTester()
                .expectWorkflow(type: AnyWorkflow<String, Int>.self, producingRendering: "1")
                .expectWorkflow(type: AnyWorkflow<String, Int>.self, producingRendering: "2")
                .render { #expect($0 == ["1", "2"]) }
        }
        #expect(
            messages.map { $0.split(separator: "\n")[0] } == [
                "The render declares Badge twice; give each child of one type a key of its own."
            ])
    }

    @Test func twoChildrenOfOneTypeAndKeyFail() {
        struct Twins: Workflow {
            func render(state: Void, context: RenderContext<Twins>) -> [String] {
                ["a", "b", "a"].map { key in
                    Badge(count: 1).ignoringOutput().rendered(in: context, key: key)
                }
            }
        }
        let messages = failures {
            Twins().renderTester()
                .expectWorkflowIgnoringOutput(type: Badge.self, key: "a", producingRendering: "1")
                .expectWorkflowIgnoringOutput(type: Badge.self, key: "b", producingRendering: "2")
                .expectWorkflowIgnoringOutput(type: Badge.self, key: "a", producingRendering: "3")
                .render { #expect($0 == ["1", "2", "3"]) }
        }
        #expect(messages.count == 1)
        #expect(
            messages.first?.hasPrefix(
                "The render declares Badge:a twice; give each child of one type a key of its own.")
                == true)
    }

    @Test func theLastActionAndOutputAreHandedToChecks() {
        loading()
            .render { rendering in rendering.sink.send(.done) }
            .verifyAction { (action: Profile.Action) in #expect(action == .done) }
            .verifyOutput { #expect($0 == "Grace") }
        Profile().renderTester(initialState: .init())
            .expectWorker(LoadName(id: 7), mockingOutput: "Ada")
            .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
            .expectSideEffect(key: "log").render().assert(state: .init(name: "Ada"))
        let messages = failures {
            Profile().renderTester(initialState: .init(name: "Ada"))
                .expectWorkflow(type: Badge.self, key: "badge", producingRendering: "")
                .expectSideEffect(key: "log").render()
                .verifyAction(type: Profile.Action.self) { _ in }.verifyOutput { _ in }
        }
        #expect(
            messages.map { $0.split(separator: "\n").first ?? "" } == [
                "There was no action; expected one of Action.", "There was no output.",
            ])
    }
}
