import PlainValue
import Testing
import Workflow
@testable import WorkflowKit
import WorkflowLua

@Suite struct TimelineTests {
    @Test func aTimelineThatIsTooLongForMemoryIsRecordedIntoAFile() {
        let error = FlowError(.longRecording, 64)
        #expect(error.message == "the recording is longer than 64 MB")
        #expect(error.help == "record the session into a file, by FlowOptions.journal")
    }

    /// The maximum number of inputs to play again to reach a step.
    private func farthest(
        through last: Int, time: Int = 0, _ tree: (_ step: Int) -> TreeSnapshot
    ) throws -> Int {
        let random = try #require(RandomState("1-2-3-4-5-6-7-8"))
        func checkpoint(_ step: Int) -> FlowCheckpoint {
            FlowCheckpoint(step: step, tree: tree(step), random: random, props: .null, ended: [])
        }
        var timeline = Timeline()
        timeline.add(checkpoint(0))
        for step in 1...last {
            let isDue = timeline.append(FlowInput(.props(.null), milliseconds: 0), time: time)
            if isDue { timeline.add(checkpoint(step)) }
        }
        return try (0...last).map { step in
            step - (try #require(timeline.checkpoint(before: step)).step)
        }.max() ?? 0
    }

    private func rows(_ count: Int, _ text: String = "") -> [TreeSnapshot.Node] {
        (1...count).map {
            TreeSnapshot.Node(name: "row", key: "\($0)", state: StateSnapshot(.string(text)))
        }
    }

    @Test(arguments: [(1, 63), (2000, 63), (3000, 31), (10_000, 7), (70_000, 0)])
    func theStatesOfManyNodesAreKeptMoreOften(nodes: Int, farthest expected: Int) throws {
        let rows = rows(nodes)
        let found = try farthest(through: 130) { step in
            TreeSnapshot(
                root: TreeSnapshot.Node(
                    name: "table", state: StateSnapshot(.int(step)), children: rows))
        }
        #expect(found == expected)
    }

    /// The milliseconds of a step, and the most that is played again.
    @Test(arguments: [(0, 63), (1, 49), (20, 2), (51, 0)])
    func theStatesOfSlowStepsAreKeptMoreOften(time: Int, farthest expected: Int) throws {
        let found = try farthest(through: 130, time: time) { step in
            TreeSnapshot(root: TreeSnapshot.Node(name: "root", state: StateSnapshot(.int(step))))
        }
        #expect(found == expected)
    }

    @Test func statesThatReloadsKeptStayWhateverTheyTake() throws {
        let random = try #require(RandomState("1-2-3-4-5-6-7-8"))
        var timeline = Timeline()
        for step in 0...4 {
            if step > 0 { _ = timeline.append(FlowInput(.props(.null), milliseconds: 0), time: 0) }
            let text = "\(step)" + String(repeating: "x", count: 20 << 20)
            let root = TreeSnapshot.Node(name: "root", state: StateSnapshot(.string(text)))
            timeline.keep(
                FlowCheckpoint(
                    step: step, tree: TreeSnapshot(root: root), random: random, props: .null,
                    ended: []), after: nil)
        }
        #expect((0...4).allSatisfy { timeline.kept(at: $0) != nil })
    }

    /// About 12 MB a checkpoint; 64 MB are available.
    @Test func statesThatShareNothingAreKeptAsMemoryAllows() throws {
        let found = try farthest(through: 600) { step in
            let text = "\(step)" + String(repeating: "x", count: 1000)
            return TreeSnapshot(
                root: TreeSnapshot.Node(name: "table", children: rows(10_000, text)))
        }
        #expect(found > 63)
    }

    @Test func aLargeStateIsKeptRarely() throws {
        let found = try farthest(through: 600) { step in
            let text = "\(step)" + String(repeating: "x", count: 20 << 20)
            return TreeSnapshot(
                root: TreeSnapshot.Node(name: "root", state: StateSnapshot(.string(text))))
        }
        #expect(found > 127)
    }
}
