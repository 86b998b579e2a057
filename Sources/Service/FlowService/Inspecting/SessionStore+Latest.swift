import HTTPServing
import PlainValue
import WorkflowKit
import WorkflowStore

extension SessionStore {
    private var batchSize: Int { 512 }

    /// The latest steps of a session, at most so many and so many bytes of their inputs, starting
    /// at or before its current step. Throws a ``Problem`` if too many steps follow that.
    func latestSteps(of id: String, most: Int, bytes: Int) async throws -> SessionContents {
        let summary = try await summary(of: id)
        guard summary.stepCount - summary.step <= most else { throw Problem.tooManySteps }
        var found = try await load(id, reaching: summary.step)
        var size = found.inputs.size
        // If earlier steps cannot be read, those read so far are enough.
        while found.snapshot.step > found.summary.firstStep, found.inputs.count < most {
            let earlier = try await load(
                id, reaching: max(found.summary.firstStep, found.snapshot.step - batchSize),
                through: found.snapshot.step)
            size += earlier.inputs.size
            guard earlier.summary.version == found.summary.version, size <= bytes else { break }
            assert(earlier.snapshot.step + earlier.inputs.count == found.snapshot.step)
            found.snapshot = earlier.snapshot
            found.inputs = earlier.inputs + found.inputs
        }
        return found
    }
}

extension FlowInput {
    /// The approximate size in bytes.
    var size: Int { document.json.utf8.count }
}

extension [FlowInput] {
    fileprivate var size: Int { reduce(0) { $0 + $1.size } }
}

extension Problem {
    fileprivate static let tooManySteps = Problem(
        .conflict, "too_many_steps", "Session too long",
        detail: "It was taken back by more steps than are looked at. Take its recording.")
}
