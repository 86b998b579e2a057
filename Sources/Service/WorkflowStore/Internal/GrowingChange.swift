import WorkflowKit

/// A change that is built from the effects of calls in a session.
struct GrowingChange {
    private(set) var change: SessionChange
    /// The number of inputs of the last call, up to the session's step.
    private(set) var inputCount = 0
    private let before: SessionPlace
    private let version: Int

    init(from place: SessionPlace, version: Int, milliseconds: Int) {
        before = place
        self.version = version
        change = SessionChange(
            keeping: place.stepCount, step: place.step, firstStep: place.first,
            milliseconds: milliseconds)
    }

    var place: SessionPlace {
        var screen = before.screen
        if isMoved { screen.version = version + 1 }
        return SessionPlace(
            base: before.base, first: before.first, step: change.step,
            stepCount: change.stepCount, screen: screen)
    }

    var isMoved: Bool {
        change.keeping != before.stepCount || !change.inputs.isEmpty || change.step != before.step
    }

    var isChanged: Bool { isMoved || !change.receipts.isEmpty }

    mutating func beginCall() { inputCount = 0 }

    /// Adds changes of the timeline. Returns false if there are none.
    @discardableResult
    mutating func add(_ changes: [PendingNews.Change]) -> Bool {
        for news in changes {
            switch news {
            case .moved(let step, let count):
                giveUp(after: before.base + count)
                change.step = before.base + step
                inputCount = 0
            case .input(let input, let step):
                add(input, step: before.base + step)
            }
        }
        return !changes.isEmpty
    }

    private mutating func add(_ input: FlowInput, step: Int) {
        // An input after an undo drops the later steps.
        giveUp(after: step - 1)
        change.inputs.append(input)
        change.step = step
        inputCount += 1
        assert(change.stepCount == step)
    }

    private mutating func giveUp(after step: Int) {
        change.inputs.removeLast(max(0, min(change.inputs.count, change.stepCount - step)))
        change.keeping = min(change.keeping, step)
        for index in change.receipts.indices where change.receipts[index].step > step {
            change.receipts[index].isGivenUp = true
        }
    }

    mutating func addReceipt(of request: RequestKey) {
        change.receipts.append(
            Receipt(
                key: request.key, digest: request.digest ?? 0, step: change.step,
                inputCount: inputCount))
    }
}
