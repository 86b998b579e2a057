import WorkflowKit

/// A change that is put together of what happens in a session, call by call.
struct GrowingChange {
    private(set) var change: SessionChange
    /// How many inputs the last call has given, up to the step at which the session stands.
    private(set) var inputCount = 0
    private let before: SessionPlace

    init(from place: SessionPlace, milliseconds: Int) {
        before = place
        change = SessionChange(
            keeping: place.stepCount, step: place.step, firstStep: place.first,
            milliseconds: milliseconds)
    }

    /// Where the session stands.
    var place: SessionPlace {
        SessionPlace(
            base: before.base, first: before.first, step: change.step,
            stepCount: change.stepCount)
    }

    /// Whether the timeline is another than before.
    var isMoved: Bool {
        change.keeping != before.stepCount || !change.inputs.isEmpty || change.step != before.step
    }

    /// Whether the timeline or the receipts are others than before.
    var isChanged: Bool { isMoved || !change.receipts.isEmpty }

    /// Begins with another call.
    mutating func beginCall() { inputCount = 0 }

    /// Adds what happened in the timeline.
    ///
    /// - Returns: Whether it was anything.
    @discardableResult
    mutating func add(_ changes: [PendingNews.Change]) -> Bool {
        for news in changes {
            switch news {
            case .moved(let step):
                change.step = before.base + step
                inputCount = 0
            case .input(let input, let step):
                add(input, step: before.base + step)
            }
        }
        return !changes.isEmpty
    }

    private mutating func add(_ input: FlowInput, step: Int) {
        // An input after an undo gives up what came later.
        change.inputs.removeLast(max(0, min(change.inputs.count, change.stepCount - (step - 1))))
        change.keeping = min(change.keeping, step - 1)
        for index in change.receipts.indices where change.receipts[index].step > step - 1 {
            change.receipts[index].isGivenUp = true
        }
        change.inputs.append(input)
        change.step = step
        inputCount += 1
    }

    /// Adds the receipt of the last call.
    mutating func addReceipt(of request: RequestKey) {
        change.receipts.append(
            Receipt(
                key: request.key, digest: request.digest, step: change.step,
                inputCount: inputCount))
    }
}
