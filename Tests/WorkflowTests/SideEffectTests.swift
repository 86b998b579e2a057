import TestSupport
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
            }, options: journal.options())
    }

    @Test func sideEffectsStartInOrderAfterAPassAndStopWithTheFirstWithoutThem() {
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

    @Test func theHandlersOfALifetimeAreCalledInOrderAndALateOneAtOnce() {
        let journal = Journal()
        let host = host(journal) { _, context in
            context.runSideEffect(key: 0) { lifetime in
                nonisolated(unsafe) let journal = journal
                for number in 1...3 {
                    lifetime.onEnded {
                        journal.note("ended \(number) \(lifetime.hasEnded)")
                        if number == 1 { lifetime.onEnded { journal.note("late") } }
                    }
                }
            }
        }
        host.shutDown()
        #expect(journal.take() == ["ended 1 true", "late", "ended 2 true", "ended 3 true"])
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
            context.runSideEffect(key: state) { _ in if state < 3 { sink.send(.set(state + 1)) } }
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
                """, "first",
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

private struct CountedKey: Hashable, CustomStringConvertible {
    nonisolated(unsafe) static var comparisons = 0

    var number: Int
    var description: String { "\(number)" }

    static func == (a: CountedKey, b: CountedKey) -> Bool {
        comparisons += 1
        return a.number == b.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Suite struct ManySideEffectsTests {
    private func host(
        _ journal: Journal, keys: @escaping (Int) -> [AnyHashable]
    ) -> WorkflowHost<Inline<Sink<Inline<Void>.Action>>> {
        typealias Root = Inline<Sink<Inline<Void>.Action>>
        return WorkflowHost(
            workflow: Root { state, context in
                for key in keys(state) {
                    func declare(_ key: some Hashable) {
                        context.runSideEffect(key: key, file: "F", line: 1) { lifetime in
                            let text = "\(key)"
                            journal.note("+" + text)
                            nonisolated(unsafe) let journal = journal
                            lifetime.onEnded { journal.note("-" + text) }
                        }
                    }
                    if let key = key.base as? any Hashable { declare(key) }
                }
                let sink = context.makeSink(of: Root.Action.self)
                return Sink { _ in sink.send(.set(state + 1)) }
            }, options: journal.options())
    }

    @Test func aPassComparesEachKeyOnceOrLooksItUp() {
        let journal = Journal()
        let host = host(journal) { state in
            let keys = (0..<1000).map { CountedKey(number: $0) }
            return (state == 2 ? keys.reversed() : keys).map { AnyHashable($0) }
        }
        #expect(journal.take().count == 1000)
        CountedKey.comparisons = 0
        host.rendering.send(.set(0))
        #expect(CountedKey.comparisons == 1000)
        // In another order, which needs an index.
        host.rendering.send(.set(0))
        #expect(CountedKey.comparisons < 8000)
        #expect(journal.take() == [])
        host.shutDown()
    }

    @Test(arguments: [3, 30]) func anyChangeOfKeysStartsAndStopsWhatChanged(count: Int) {
        let journal = Journal()
        var numbers = SeededNumbers.printed(or: 7)
        var declared: [[Int]] = []
        for _ in 0..<200 {
            declared.append(
                (0..<count).filter { _ in numbers.next() % 3 != 0 }.shuffled(using: &numbers))
        }
        let host = host(journal) { declared[$0].map { AnyHashable($0) } }
        #expect(journal.take() == declared[0].map { "+\($0)" })
        for (before, now) in zip(declared, declared.dropFirst()) {
            host.rendering.send(.set(0))
            let lines = journal.take()
            let started = now.filter { !before.contains($0) }.map { "+\($0)" }
            let stopped = Set(before).subtracting(now).map { "-\($0)" }
            #expect(lines.filter { $0.hasPrefix("+") } == started)
            #expect(Set(lines.filter { $0.hasPrefix("-") }) == Set(stopped))
            #expect(lines.count == started.count + stopped.count)
        }
        host.shutDown()
    }

    @Test(arguments: [2, 20]) func aKeyThatIsDeclaredTwiceAmongOthersIsReported(count: Int) {
        let journal = Journal()
        let host = host(journal) { _ in (0..<count).map { AnyHashable($0) } + [0] }
        let lines = journal.take()
        #expect(lines.count == count + 1)
        #expect(lines[0].hasPrefix("report: two side effects with the key 0 in one render"))
        host.shutDown()
    }

    @Test(arguments: [2, 20]) func keysOfDifferentTypesAreDifferent(count: Int) {
        let journal = Journal()
        let host = host(journal) { _ in
            (0..<count).flatMap { [AnyHashable($0), AnyHashable(Int8($0))] }
        }
        #expect(journal.take() == (0..<count).flatMap { ["+\($0)", "+\($0)"] })
        host.rendering.send(.set(0))
        #expect(journal.take() == [])
        host.shutDown()
    }
}
