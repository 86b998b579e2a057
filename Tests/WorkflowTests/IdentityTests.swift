import Testing
import Workflow

/// Shows its state, a number that each new node gets from its journal.
private struct Numbered: Workflow {
    let journal: Journal
    var label: String

    func makeInitialState() -> String {
        journal.note("made \(label)")
        return label
    }

    func workflowDidChange(from previousWorkflow: Numbered, state: inout String) {
        journal.note("\(previousWorkflow.label) became \(label)")
    }

    func render(state: String, context: RenderContext<Numbered>) -> String {
        context.runSideEffect(key: "life") { lifetime in
            journal.note("began \(state)")
            nonisolated(unsafe) let journal = journal
            lifetime.onEnded { journal.note("ended \(state)") }
        }
        return "\(state) as \(label)"
    }
}

extension Numbered: Equatable {
    static func == (a: Numbered, b: Numbered) -> Bool { a.label == b.label }
}

/// Another type with the same rendering.
private struct Fixed: Workflow {
    func render(state: Void, context: RenderContext<Fixed>) -> String { "fixed" }
}

@Suite struct IdentityTests {
    private func host(
        _ children: @escaping (Int, RenderContext<Inline<List>>) -> [String],
        journal: Journal = Journal()
    ) -> WorkflowHost<Inline<List>> {
        WorkflowHost(
            workflow: Inline { state, context in
                List(
                    texts: children(state, context),
                    set: { [sink = context.makeSink(of: Inline<List>.Action.self)] in
                        sink.send(.set($0))
                    })
            }, options: journal.options())
    }

    private struct List {
        var texts: [String]
        var set: (Int) -> Void
    }

    @Test func aChildKeepsItsStateUnderItsKeyWhereverItStands() {
        let journal = Journal()
        let orders = [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]
        let host = host { state, context in
            orders[state].map {
                Numbered(journal: journal, label: $0).rendered(in: context, key: $0)
            }
        }
        #expect(journal.take() == ["made a", "made b", "made c", "began a", "began b", "began c"])
        host.rendering.set(1)
        #expect(host.rendering.texts == ["c as c", "a as a", "b as b"])
        host.rendering.set(2)
        #expect(host.rendering.texts == ["b as b", "c as c", "a as a"])
        #expect(journal.take() == [])
    }

    @Test func childrenOfOneTypeDifferByKeyAndChildrenOfOneKeyByType() {
        let journal = Journal()
        let host = host { state, context in
            [
                Numbered(journal: journal, label: "one").rendered(in: context, key: "k"),
                Numbered(journal: journal, label: "two").rendered(in: context, key: "l"),
                Fixed().rendered(in: context, key: "k"),
            ]
        }
        #expect(host.rendering.texts == ["one as one", "two as two", "fixed"])
    }

    @Test func aChildThatAPassLeavesOutEndsAndStartsAfreshLater() {
        let journal = Journal()
        let host = host { state, context in
            state == 1 ? [] : [Numbered(journal: journal, label: "n\(state)").rendered(in: context)]
        }
        #expect(journal.take() == ["made n0", "began n0"])
        host.rendering.set(1)
        #expect(journal.take() == ["ended n0"])
        host.rendering.set(2)
        #expect(journal.take() == ["made n2", "began n2"])
        #expect(host.rendering.texts == ["n2 as n2"])
    }

    @Test func changedInputsReachAChildOnceAndEqualInputsDoNot() {
        let journal = Journal()
        let host = host { state, context in
            [Numbered(journal: journal, label: "l\(state / 2)").rendered(in: context)]
        }
        _ = journal.take()
        host.rendering.set(1)
        #expect(journal.take() == [])
        host.rendering.set(2)
        #expect(journal.take() == ["l0 became l1"])
        #expect(host.rendering.texts == ["l0 as l1"])
        host.rendering.set(3)
        #expect(journal.take() == [])
    }

    @Test func manyChildrenMayBeAddedRemovedAndMovedAtOnce() {
        let journal = Journal()
        let keys = [
            (0..<40).map { "\($0)" }, (0..<60).reversed().map { "\($0)" }.filter { $0 != "7" },
            ["7", "8", "59", "100"],
        ]
        let host = host { state, context in
            keys[state].map { Numbered(journal: journal, label: $0).rendered(in: context, key: $0) }
        }
        _ = journal.take()
        host.rendering.set(1)
        #expect(host.rendering.texts == keys[1].map { "\($0) as \($0)" })
        #expect(
            Set(journal.take())
                == Set((40..<60).flatMap { ["made \($0)", "began \($0)"] } + ["ended 7"]))
        host.rendering.set(2)
        #expect(host.rendering.texts == keys[2].map { "\($0) as \($0)" })
        let noted = journal.take()
        #expect(noted.filter { $0.hasPrefix("made") } == ["made 7", "made 100"])
        #expect(noted.filter { $0.hasPrefix("ended") }.count == 57)
    }

    @Test func twoChildrenWithOneKeyAreReportedWithBothPlacesAndBothAreShown() {
        let journal = Journal()
        let host = host(
            { state, context in
                [
                    Numbered(journal: journal, label: "a")
                        .rendered(in: context, key: "k", file: "List.swift", line: 3),
                    Numbered(journal: journal, label: "b")
                        .rendered(in: context, key: "k", file: "List.swift", line: 4),
                ]
            }, journal: journal)
        #expect(host.rendering.texts == ["a as a", "b as b"])
        #expect(
            journal.take() == [
                "made a",
                """
                report: two children Inline/Numbered:k in one render, the first from List.swift:3, \
                the second from List.swift:4; give each child of one type a key of its own
                """, "made b", "began a", "began b",
            ])
    }

    @Test func aTypeMayNameItsNodesAndTellThemApart() {
        let host = host { state, context in
            [
                Defined(definition: state < 2 ? .first : .second)
                    .mapRendering { "\($0)" }.rendered(in: context)
            ]
        }
        #expect(host.rendering.texts == ["Inline/scripted state 0"])
        host.rendering.set(1)
        #expect(host.rendering.texts == ["Inline/scripted state 0"])
        host.rendering.set(2)
        #expect(host.rendering.texts == ["Inline/scripted state 1"])
    }
}

/// A node type made from a definition, like a Lua node.
private struct Defined: Workflow {
    final class Definition: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
        static let first = Definition(0)
        static let second = Definition(1)
    }

    let definition: Definition

    var nodeType: ObjectIdentifier { ObjectIdentifier(definition) }
    var nodeName: String { "scripted" }

    func makeInitialState() -> Int { definition.number }

    func render(state: Int, context: RenderContext<Defined>) -> String {
        "\(context.path) state \(state)"
    }
}
