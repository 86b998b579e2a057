import Foundation
import PlainValue
import Testing
import Workflow

private enum Mode: String, Codable { case calm, busy }

private struct Note: Workflow, Equatable, Codable {
    var title: String

    struct State: Codable, Equatable {
        var text: String
        var mode = Mode.calm
        var counts: [String: Int] = [:]
        var sizes: [Double?] = [1.5, nil, 2]
        var large = UInt64.max
        var small: Int8 = -3
        var date: Date?
        var nested: [Mode: [Bool]] = [.busy: [true]]
    }

    enum Action: WorkflowAction {
        case write(String)
        func apply(toState state: inout State, context: ApplyContext<Note>) -> Never? {
            switch self {
            case .write(let text):
                state.text = text
                state.mode = .busy
                state.counts[text, default: 0] += 1
                state.date = Date(timeIntervalSince1970: 1000)
            }
            return nil
        }
    }

    var nodeName: String { "note" }

    func makeInitialState() -> State { State(text: title) }

    func render(state: State, context: RenderContext<Note>) -> (state: State, sink: Sink<Action>) {
        (state, context.makeSink(of: Action.self))
    }
}

private struct Secret: SnapshottingWorkflow {
    final class Vault {
        let word: String
        init(_ word: String) { self.word = word }
    }

    var word: String

    func makeInitialState() -> Vault { Vault(word) }

    func snapshot(of state: Vault) throws -> StateSnapshot? { StateSnapshot(.string(state.word)) }

    func restoreState(from snapshot: StateSnapshot) throws -> Vault {
        guard case .string(let word) = snapshot.value, !word.isEmpty else {
            throw TestError("no word")
        }
        return Vault("restored " + word)
    }

    func render(state: Vault, context: RenderContext<Secret>) -> String { state.word }
}

private struct Book: Workflow {
    var keys: [String]
    var word = "sesame"

    func makeInitialState() -> () -> Void { {} }

    func render(
        state: () -> Void, context: RenderContext<Book>
    ) -> (notes: [(state: Note.State, sink: Sink<Note.Action>)], secret: String) {
        ClosureWorker { try await WorkerClock.sleep(for: .seconds(1_000)) }
            .ignoringOutput().running(in: context)
        return (
            keys.map { Note(title: $0).rendered(in: context, key: $0) },
            Secret(word: word).rendered(in: context)
        )
    }
}

@Suite struct SnapshotTests {
    private func written() -> WorkflowHost<Book> {
        let host = WorkflowHost(workflow: Book(keys: ["a", "b"]))
        host.rendering.notes[1].sink.send(.write("changed"))
        return host
    }

    @Test func aTreeGoesOnFromItsSnapshotAfterAWayThroughJSON() throws {
        let host = written()
        let data = try JSONEncoder().encode(host.makeSnapshot())
        let snapshot = try JSONDecoder().decode(TreeSnapshot.self, from: data)
        let restored = WorkflowHost(workflow: Book(keys: ["a", "b"]), restoring: snapshot)
        #expect(restored.rendering.notes.map(\.state) == host.rendering.notes.map(\.state))
        #expect(restored.rendering.notes[1].state.text == "changed")
        #expect(restored.rendering.secret == "restored sesame")
        #expect(restored.restoration?.isComplete == true)
        restored.rendering.notes[0].sink.send(.write("more"))
        #expect(restored.rendering.notes[0].state.text == "more")
    }

    @Test func aSnapshotHoldsNamesKeysInputsAndStates() throws {
        let snapshot = written().makeSnapshot()
        #expect(snapshot.root.name == "Book")
        #expect(snapshot.root.children.map(\.name) == ["note", "note", "Secret"])
        #expect(snapshot.root.children.map(\.key) == ["a", "b", ""])
        #expect(snapshot.root.children[0].inputs == ["title": "a"])
        #expect(snapshot.root.children[2].state == StateSnapshot("sesame"))
    }

    @Test func aStateThatCannotBeKeptIsListed() {
        #expect(
            written().makeSnapshot().lost.map(\.description) == [
                "Book: () -> () is not Codable, and its workflow is not a SnapshottingWorkflow"
            ])
    }

    @Test func aNodeThatASnapshotCannotTellFromAnotherIsListed() {
        struct Other: Workflow {
            var nodeName: String { "note" }
            func makeInitialState() -> String { "other" }
            func render(state: String, context: RenderContext<Other>) -> String { state }
        }
        struct Pair: Workflow {
            func render(state: Void, context: RenderContext<Pair>) -> [String] {
                [
                    Note(title: "a").rendered(in: context, key: "a").state.text,
                    Other().rendered(in: context, key: "a"),
                ]
            }
        }
        let advice = "give one of them another key or `nodeName`"
        let snapshot = WorkflowHost(workflow: Pair()).makeSnapshot()
        #expect(
            snapshot.lost.map(\.description) == [
                "Pair/note:a: the tree has two nodes of this name and key, and only the first gets "
                    + "its state; \(advice)"
            ])
        let host = WorkflowHost(workflow: Pair(), restoring: snapshot)
        #expect(host.rendering == ["a", "other"])
        #expect(
            host.restoration?.lost.map(\.description) == [
                "Pair/note:a: the snapshot has two nodes of this name and key, and only the first "
                    + "gets its state; \(advice)"
            ])
    }

    @Test func missingAndOrphanedNodesAreListed() {
        let snapshot = written().makeSnapshot()
        let host = WorkflowHost(workflow: Book(keys: ["b", "c"]), restoring: snapshot)
        #expect(host.rendering.notes.map(\.state.text) == ["changed", "c"])
        #expect(host.restoration?.missing.map(\.description) == ["Book/note:c"])
        #expect(host.restoration?.orphaned.map(\.description) == ["Book/note:a"])
    }

    @Test func aStateThatCannotBeRestoredIsListedAndItsNodeStartsAfresh() {
        var snapshot = written().makeSnapshot()
        snapshot.root.children[0].state = StateSnapshot(["text": 1])
        snapshot.root.children[2].state = StateSnapshot("")
        let host = WorkflowHost(workflow: Book(keys: ["a", "b"]), restoring: snapshot)
        #expect(host.rendering.notes[0].state.text == "a")
        #expect(host.rendering.secret == "sesame")
        #expect(host.restoration?.lost.map(\.path) == ["Book/note:a", "Book/Secret"])
        #expect(
            host.restoration?.lost.map(\.reason) == [
                "expected a string at text, found an integer", "no word",
            ])
    }

    @Test func aListThatIsTooShortIsSaidToEnd() {
        struct Pair: Workflow {
            struct State: Codable, Equatable {
                var first = 1
                var second = 2

                init() {}

                init(from decoder: any Decoder) throws {
                    var list = try decoder.unkeyedContainer()
                    first = try list.decode(Int.self)
                    second = try list.decode(Int.self)
                }
            }
            func makeInitialState() -> State { State() }
            func render(state: State, context: RenderContext<Pair>) -> Int { state.second }
        }
        var snapshot = WorkflowHost(workflow: Pair()).makeSnapshot()
        snapshot.root.state = StateSnapshot([1])
        let host = WorkflowHost(workflow: Pair(), restoring: snapshot)
        #expect(host.rendering == 2)
        #expect(
            host.restoration?.lost.map(\.reason) == [
                "expected an element at [2], found the end of the list"
            ])
    }

    @Test func theRestoringPassIsSeenByObserversAndTheRestIsPlain() {
        let snapshot = written().makeSnapshot()
        let host = WorkflowHost(workflow: Book(keys: ["a", "b"]), restoring: snapshot)
        host.update(workflow: Book(keys: ["a", "b", "d"]))
        #expect(host.rendering.notes.map(\.state.text) == ["a", "changed", "d"])
        #expect(host.restoration?.isComplete == true)
    }
}
