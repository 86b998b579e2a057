import Foundation
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

/// Everything follows from one log of inputs. Random sessions of each kind of tree check that.
@Suite struct SessionConformanceTests {
    /// The seeds of the random lists of inputs for each kind of tree: few by default.
    private static let rounds = SeededNumbers.seeds(
        1...(ProcessInfo.processInfo.environment["CONFORMANCE_ROUNDS"].flatMap { UInt64($0) } ?? 2))

    /// Everything that is visible of a session, which must be equal.
    private struct Sight: Equatable {
        var rendering: Value
        var nodes: FlowNode?

        init(_ session: FlowSession) async {
            rendering = await session.rendering
            // The start times of workers are not part of a session.
            nodes = await session.nodes()?.withoutStarts
        }
    }

    private func play(_ inputs: [FlowInput.Kind], in session: FlowSession) async {
        for input in inputs {
            // Inputs that do not fit are refused. The comparison includes that.
            do throws(FlowError) { try await session.play(input) } catch {}
        }
    }

    private func inputs(
        _ kind: any SessionSubject, round: UInt64, count: Int = 60
    ) -> [FlowInput.Kind] {
        var random = SeededNumbers(seed: round &* 0x9E37_79B9 &+ 1)
        return (0..<count).map { _ in kind.input(&random) }
    }

    @Test(arguments: sessionSubjects)
    func aRecordingReplaysEqual(_ kind: any SessionSubject) async throws {
        for round in Self.rounds {
            let lines = Lines()
            let session = try await FlowSession.open(kind.source, options: try kind.options()) {
                lines.add($0.record.json)
            }
            let inputs = inputs(kind, round: round)
            await play(Array(inputs[..<40]), in: session)
            try await session.go(to: min(await session.stepCount, 3))
            await play(Array(inputs[40...]), in: session)
            let recording = try FlowRecording(parsing: lines.text)
            let again = try await recording.makeSession(
                of: kind.source, options: try kind.options(seed: 0))
            let differences = try await recording.replay(in: again)
            #expect(differences.isEmpty, "\(kind) \(round): \(differences.first as Any)")
            #expect(await Sight(again) == Sight(session))
        }
    }

    @Test(arguments: sessionSubjects)
    func aRestoredSnapshotGoesOnEqual(_ kind: any SessionSubject) async throws {
        for round in Self.rounds {
            let session = try await FlowSession.open(kind.source, options: try kind.options())
            for input in inputs(kind, round: round, count: 30) {
                await play([input], in: session)
                let text = try await session.snapshot().json
                let snapshot = try FlowSnapshot(document: Value(json: text))
                let restored = try await FlowSession.open(
                    kind.source, options: try kind.options(seed: 0), restoring: snapshot)
                #expect(await Sight(restored) == Sight(session))
                let next = inputs(kind, round: round &+ 1000, count: 10)
                let other = try await FlowSession.open(
                    kind.source, options: try kind.options(seed: 0), restoring: snapshot)
                await play(next, in: restored)
                await play(next, in: other)
                #expect(await Sight(restored) == Sight(other))
            }
        }
    }

    @Test(arguments: sessionSubjects)
    func aRestoredSessionDoesWhatTheOtherWouldHaveDone(_ kind: any SessionSubject) async throws {
        for round in Self.rounds {
            let inputs = inputs(kind, round: round)
            let session = try await FlowSession.open(kind.source, options: try kind.options())
            await play(Array(inputs[..<30]), in: session)
            let restored = try await FlowSession.open(
                kind.source, options: try kind.options(seed: 0),
                restoring: try await session.snapshot())
            await play(Array(inputs[30...]), in: session)
            await play(Array(inputs[30...]), in: restored)
            #expect(await Sight(restored) == Sight(session))
        }
    }

    @Test(arguments: sessionSubjects)
    func anyStepIsAsIfOnlyItsInputsHadBeen(_ kind: any SessionSubject) async throws {
        for round in Self.rounds {
            let session = try await FlowSession.open(kind.source, options: try kind.options())
            await play(inputs(kind, round: round, count: 150), in: session)
            let steps = await session.inputs
            var random = SeededNumbers(seed: round)
            for _ in 0..<6 {
                let step = Int.random(in: 0...steps.count, using: &random)
                try await session.go(to: step)
                let afresh = try await FlowSession.open(kind.source, options: try kind.options())
                await play(steps[..<step].map(\.kind), in: afresh)
                #expect(await Sight(session) == Sight(afresh), "\(kind) \(round) step \(step)")
            }
            // Undo and redo in between do not change the end.
            if await session.step > 0 { try await session.undo() }
            try await session.redo()
            try await session.go(to: steps.count)
            let afresh = try await FlowSession.open(kind.source, options: try kind.options())
            await play(steps.map(\.kind), in: afresh)
            #expect(await Sight(session) == Sight(afresh))
        }
    }

    @Test(arguments: sessionSubjects) func lookingBackShowsWhatGoingThereDoesAndChangesNothing(
        _ kind: any SessionSubject
    ) async throws {
        for round in Self.rounds {
            let inputs = inputs(kind, round: round, count: 100)
            let events = EventRecorder()
            let session = try await FlowSession.open(
                kind.source, options: try kind.options(), onEvent: events.note)
            let other = try await FlowSession.open(kind.source, options: try kind.options())
            await play(Array(inputs[..<80]), in: session)
            await play(Array(inputs[..<80]), in: other)
            let count = events.all.count
            let steps = try await session.steps()
            #expect(steps.map(\.input.kind) == (await session.inputs).map(\.kind))
            for step in 0...steps.count {
                try await other.go(to: step)
                #expect(try await session.rendering(at: step) == other.rendering)
            }
            #expect(events.all.count == count)
            #expect(await Sight(session) == Sight(other))
            // Random numbers and native states continue as if nobody had looked.
            await play(Array(inputs[80...]), in: session)
            await play(Array(inputs[80...]), in: other)
            #expect(await Sight(session) == Sight(other), "\(kind) \(round)")
        }
    }

    @Test(arguments: sessionSubjects)
    func aBranchGoesOnFromThePast(_ kind: any SessionSubject) async throws {
        for round in Self.rounds {
            let session = try await FlowSession.open(kind.source, options: try kind.options())
            await play(inputs(kind, round: round, count: 80), in: session)
            let step = await session.stepCount / 2
            let past = await Array(session.inputs[..<step]).map(\.kind)
            try await session.go(to: step)
            let next = inputs(kind, round: round &+ 5000, count: 20)
            await play(next, in: session)
            let afresh = try await FlowSession.open(kind.source, options: try kind.options())
            await play(past + next, in: afresh)
            #expect(await Sight(session) == Sight(afresh), "\(kind) \(round)")
            // Where all inputs are refused, the later steps are still there.
            let steps = await (session.step, afresh.step)
            #expect(steps.0 == steps.1)
        }
    }
}

extension FlowNode {
    fileprivate var withoutStarts: FlowNode {
        var copy = self
        for index in copy.workers.indices {
            copy.workers[index].started = nil
            copy.workers[index].step = 0
            copy.workers[index].attempt = 1
        }
        copy.children = children.map(\.withoutStarts)
        return copy
    }
}
