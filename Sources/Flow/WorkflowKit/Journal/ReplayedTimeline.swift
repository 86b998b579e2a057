import WorkflowLua

/// A recorded input that was replayed.
struct ReplayedStep {
    let differences: [ReplayDifference]
    /// The session's step after it.
    let place: Int
}

/// The steps of a replay that correspond to those of its recording.
///
/// A changed flow may refuse an input that the recorded one took: later steps have other numbers.
struct ReplayedTimeline {
    /// The step of the replay for each recorded step.
    private var places: [Int]
    /// The present recorded step.
    private var step = 0

    /// - Parameter first: The step at which the replay begins.
    init(first: Int) { places = [first] }

    mutating func add(_ recorded: FlowRecording.Step, _ played: ReplayedStep) {
        if recorded.isStep { append(played.place) }
    }

    mutating func skip(_ recorded: FlowRecording.Step) {
        if recorded.isStep { append(places[step]) }
    }

    /// The step of the replay for a recorded step, which is the present one from now on.
    mutating func go(to target: Int) -> Int {
        step = min(max(target, 0), places.count - 1)
        return places[step]
    }

    /// Drops the steps that were undone.
    mutating func branch() { places.removeSubrange((step + 1)...) }

    private mutating func append(_ place: Int) {
        branch()
        places.append(place)
        step += 1
    }
}
