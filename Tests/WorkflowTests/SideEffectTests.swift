import Testing
import Workflow

private struct Shown {
    var count: Int
    var sink: Sink<Inline<Shown>.Action>
}

@Suite struct SideEffectTests {
    private func host(
        _ journal: Journal, _ body: @escaping (Int, RenderContext<Inline<Shown>>) -> Void
    ) -> WorkflowHost<Inline<Shown>> {
        WorkflowHost(
            workflow: Inline { state, context in
                body(state, context)
                return Shown(count: state, sink: context.makeSink(of: Inline<Shown>.Action.self))
            }, configuration: journal.configuration())
    }

    @Test func sideEffectsStartInOrderAfterThePassAndStopWithTheFirstPassWithoutThem() {
        let journal = Journal()
        let host = host(journal) { state, context in
            journal.note("render \(state)")
            for key in state == 0 ? ["a", "b"] : ["b", "c"] {
                context.runSideEffect(key: key) { lifetime in
                    journal.note("began \(key)")
                    nonisolated(unsafe) let journal = journal
                    lifetime.onEnded { journal.note("ended \(key)") }
                }
            }
            journal.note("rendered")
        }
        #expect(journal.take() == ["render 0", "rendered", "began a", "began b"])
        host.rendering.sink.send(.set(1))
        #expect(journal.take() == ["render 1", "rendered", "ended a", "began c"])
        host.shutDown()
        #expect(journal.take() == ["ended b", "ended c"])
    }

    @Test func effectsOfAParentStartAfterThoseOfItsChildren() {
        let journal = Journal()
        let host = host(journal) { _, context in
            context.runSideEffect(key: 1) { _ in journal.note("parent") }
            Inline<Void> { _, context in
                context.runSideEffect(key: 1) { _ in journal.note("child") }
            }.ignoringOutput().rendered(in: context)
        }
        #expect(journal.take() == ["child", "parent"])
        host.shutDown()
    }

    @Test func aSideEffectMaySendAtOnceAndTheHostShowsWhatItLedTo() {
        let journal = Journal()
        let host = host(journal) { state, context in
            let sink = context.makeSink(of: Inline<Shown>.Action.self)
            context.runSideEffect(key: state) { _ in
                if state < 3 { sink.send(.set(state + 1)) }
            }
        }
        #expect(host.rendering.count == 3)
        #expect(journal.take() == [])
    }

    @Test func aLifetimeEndsOnceAndTellsALateHandlerAtOnce() throws {
        let journal = Journal()
        var lifetime: Lifetime?
        let host = host(journal) { state, context in
            if state == 0 { context.runSideEffect(key: "once") { lifetime = $0 } }
        }
        let running = try #require(lifetime)
        #expect(!running.hasEnded)
        host.rendering.sink.send(.set(1))
        #expect(running.hasEnded)
        nonisolated(unsafe) let unsafeJournal = journal
        running.onEnded { unsafeJournal.note("late") }
        #expect(journal.take() == ["late"])
    }

    @Test func twoSideEffectsWithOneKeyAreReportedWithBothPlacesAndTheFirstRuns() {
        let journal = Journal()
        let host = host(journal) { _, context in
            context.runSideEffect(key: "k", file: "Effects.swift", line: 1) { _ in
                journal.note("first")
            }
            context.runSideEffect(key: "k", file: "Effects.swift", line: 2) { _ in
                journal.note("second")
            }
        }
        #expect(
            journal.take() == [
                """
                report: two side effects with the key k in one render of Inline, the first from \
                Effects.swift:1, the second from Effects.swift:2; only the first runs
                """,
                "first",
            ])
        host.shutDown()
    }

    @Test func theEffectsOfANodeThatGoesStopWithIt() {
        let journal = Journal()
        let host = host(journal) { state, context in
            guard state == 0 else { return }
            Inline<Void> { _, context in
                context.runSideEffect(key: "below") { lifetime in
                    nonisolated(unsafe) let journal = journal
                    lifetime.onEnded { journal.note("ended") }
                }
            }.ignoringOutput().rendered(in: context)
        }
        host.rendering.sink.send(.set(1))
        #expect(journal.take() == ["ended"])
    }

    @Test func aHandlerThatSendsWhileItsEffectStopsIsQueued() {
        let journal = Journal()
        let host = host(journal) { state, context in
            guard state == 0 else { return }
            let sink = context.makeSink(of: Inline<Shown>.Action.self)
            context.runSideEffect(key: "farewell") { lifetime in
                lifetime.onEnded { sink.send(.set(9)) }
            }
        }
        host.rendering.sink.send(.set(1))
        #expect(host.rendering.count == 9)
        #expect(journal.take() == [])
    }

    @Test func aHandlerThatSendsWhileItsHostEndsIsDropped() {
        let journal = Journal()
        let host = host(journal) { _, context in
            let sink = context.makeSink(of: Inline<Shown>.Action.self)
            Inline<Void> { _, context in
                context.runSideEffect(key: "farewell") { lifetime in
                    lifetime.onEnded { sink.send(.set(9)) }
                }
            }.ignoringOutput().rendered(in: context)
        }
        host.shutDown()
        #expect(host.rendering.count == 0)
        #expect(
            journal.take() == ["report: an action for Inline was dropped: its host has shut down"])
    }
}
