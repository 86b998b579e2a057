import HTTPServing
import PlainValue
import WorkflowKit
import WorkflowStore

extension SessionStore {
    /// How many steps are read at a time.
    private var portion: Int { 512 }

    /// The latest steps of a session, from one at or before that at which it stands.
    ///
    /// - Parameters:
    ///   - most: How many steps are enough.
    ///   - bytes: How many bytes their inputs may have.
    /// - Throws: A ``Problem`` if those after the one at which it stands are more; or a `StoreError`.
    func latestSteps(of id: String, most: Int, bytes: Int) async throws -> SessionContents {
        let summary = try await summary(of: id)
        guard summary.stepCount - summary.step <= most else { throw Problem.tooManySteps }
        var found = try await load(id, reaching: summary.step)
        var size = found.inputs.size
        // One of the beginning that cannot be had is left out, as what was read before is enough.
        while found.snapshot.step > found.summary.firstStep, found.inputs.count < most {
            let earlier = try await load(
                id, reaching: max(found.summary.firstStep, found.snapshot.step - portion),
                through: found.snapshot.step)
            size += earlier.inputs.size
            guard earlier.summary.version == found.summary.version, size <= bytes else { break }
            found.snapshot = earlier.snapshot
            found.inputs = earlier.inputs + found.inputs
        }
        return found
    }
}

extension FlowInput {
    /// About how many bytes it takes.
    var size: Int { document.json.utf8.count }
}

extension [FlowInput] {
    fileprivate var size: Int { reduce(0) { $0 + $1.size } }
}

extension Problem {
    fileprivate static let tooManySteps = Problem(
        .conflict, "too_many_steps", "The session cannot be inspected",
        detail: "It was taken back by more steps than are looked at. Take its recording.")
}
