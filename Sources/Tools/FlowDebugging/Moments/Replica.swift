import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// A copy of a session in which the debugger plays its inputs again.
///
/// The session itself is not touched: it may be live, in another process, or ended. In the copy
/// workers do nothing and nothing is printed. Only the isolation that creates a replica may use it.
final class Replica {
    private var played: [PlayedInput] = []
    /// Inputs that are played when they are needed.
    private var waiting: [DebuggedInput] = []
    /// The first input whose result is not as recorded. Those after it do not show the past.
    private(set) var firstDifference: Int?
    /// Inputs before a reload that kept the state: the files that led to it are here no more.
    private(set) var lost: [ClosedRange<Int>] = []

    /// The lines of the test that played the session, if one did.
    let test: TestLines?
    /// The number of recorded inputs played so far, including the beginning.
    private var recordedCount = 0
    let player: any PlayedFlow
    let limits: LuaVM.Options
    /// The flow's folder as the user named it; empty if it has none.
    let folder: String
    let interruption: FlowInterrupt
    /// The step that the session shows.
    private var shown = 0
    /// True after the files were reloaded: the code of now plays inputs, each from its state then.
    private(set) var isEdited = false
    private let recording: FlowRecording
    /// The first input since the last of the reloads that kept the state.
    private var firstOfCode = 0
    private var reloads = 0
    /// True if the inputs since then began with another state.
    private var isLost = false
    /// True while a step of the past is shown with a state that other code led to.
    private var isOfOtherCode = false

    /// Loads a flow and plays its beginning; `interruption` stops what is being played.
    init(
        of recording: FlowRecording, _ source: FlowSource, by test: (any DebuggedTest)? = nil,
        options: FlowOptions, interruption: FlowInterrupt, owner: any Actor
    ) throws(FlowError) {
        var (options, snapshot) = try recording.beginning(options)
        options.limits.isolation = .none
        limits = options.limits
        folder = if case .file(let path) = source { path.folderOfPath } else { "" }
        self.recording = recording
        self.test = try test.map { (test) throws(FlowError) in try TestLines(test) }
        self.interruption = interruption
        player = options.makeFlow(interruption: interruption, owner: owner)
        addTestLines()
        var beginning = PlayedInput(nil, after: 0, isStep: true)
        do throws(FlowError) {
            try player.open(source, restoring: snapshot)
        } catch {
            beginning.isCut = error.code.isCut
            // The debugger can inspect a flow that was loaded but fails to render.
            guard player.flow != nil else { throw error }
        }
        if let first = recording.firstRendering, first != player.rendering {
            firstDifference = played.count
        }
        played.append(beginning)
        for move in recording.firstMoves { follow(move) }
        recordedCount = 1
        addTestLines()
    }

    /// Adds the lines that the test ran after the recorded inputs so far and before the next.
    private func addTestLines() {
        for (lines, step) in test?.ranges[recordedCount] ?? [] {
            played.append(PlayedInput(testLines: lines, after: step))
        }
    }

    func play(_ step: FlowRecording.Step) throws(FlowError) {
        try goToShown()
        let before = player.rendering
        let code = step.error.flatMap { FlowError.Code(rawValue: $0.code) }
        let isInterrupted = step.rendering == nil && code?.isCut ?? false
        try play(step.input, isInterrupted: isInterrupted)
        let isOpen = step.isCut && step.rendering == nil
        if firstDifference == nil, !isOpen, player.rendering != step.rendering ?? before {
            firstDifference = played.count - 1
        }
        for move in step.moves { follow(move) }
        recordedCount += 1
        addTestLines()
    }

    /// Goes to another step when that is needed, or goes on from a state that a reload kept.
    private func follow(_ move: FlowRecording.Move) {
        shown = move.step ?? shown
        isOfOtherCode = move.snapshot != nil && shown < player.stepCount
        do throws(FlowError) {
            if let snapshot = move.snapshot {
                if move.step == nil {
                    try goToShown()
                    goOn(isAsRecorded: !isLost && firstDifference == nil && player.shows(snapshot))
                }
                try player.go(to: shown, from: snapshot)
                // A state of another version was migrated: what failed there is played from it.
                if !player.shows(snapshot) {
                    isLost = true
                    for index in played.indices where played[index].after == shown {
                        played[index].isFromItsState = played[index].input == nil
                    }
                }
            }
            if shown < player.stepCount, move.isToLast {
                try goToShown()
                if try player.branch(after: move) { giveUp(after: shown) }
            }
        } catch {
            firstDifference = firstDifference ?? played.count - 1
        }
    }

    /// Goes on by what was loaded in a reload.
    private func goOn(isAsRecorded: Bool) {
        if recording.hasOtherFiles(after: reloads, than: player.flow?.hash ?? "") {
            // Be it that some of what was recorded is met: the session has no step of these either.
            if !isAsRecorded || recording.hasReplayed(after: reloads) { lose(from: firstOfCode) }
            firstDifference = nil
        }
        (isLost, firstOfCode, reloads) = (false, played.count, reloads + 1)
    }

    private func lose(from first: Int) {
        assert((0...played.count).contains(first))
        for index in first..<played.count { played[index].isFromItsState = false }
        let steps = played[first...].map(\.step)
        guard let from = steps.min(), let last = steps.max() else { return }
        // The last of them led to the state that was kept.
        lost.append(from...max(from, last - 1))
    }

    /// Adds the next input, which is played when it is needed. Returns the number of the input that
    /// it replaces, because that was under way.
    @discardableResult
    func add(_ input: DebuggedInput) -> Int? {
        var replaced: Int?
        if waiting.last?.isUnderWay == true {
            waiting.removeLast()
        } else if waiting.isEmpty, played.last?.isUnderWay == true {
            played.removeLast()
            replaced = played.count
        }
        waiting.append(input)
        return replaced
    }

    private func catchUp() {
        let next = waiting
        waiting = []
        for input in next { play(input) }
    }

    /// Plays the waiting inputs and looks for stops. Calls `body` with the number of each input,
    /// whether it has a stop, and its error if it failed.
    func catchUp(_ finder: StopFinder, _ body: (Int, Bool, FlowError?) -> Void) {
        let next = waiting
        waiting = []
        for input in next {
            let before = player.rendering
            // Without memory for a trace, it is played without stops.
            try? player.flow?.setTrace(finder.quickTrace)
            let failure = play(input)
            try? player.flow?.setTrace(nil)
            let stop = finder.takeStop(rendering: (before, player.rendering))
            body(played.count - 1, stop != nil, failure)
        }
    }

    @discardableResult
    private func play(_ input: DebuggedInput) -> FlowError? {
        // The session accepted the input. If the copy does not, they differ.
        do throws(FlowError) {
            let failure = try play(input.input, isInterrupted: input.isInterrupted)
            played[played.count - 1].isUnderWay = input.isUnderWay
            return failure
        } catch {
            firstDifference = firstDifference ?? played.count
            return nil
        }
    }

    private func goToShown() throws(FlowError) {
        if shown != player.step { try player.go(to: shown) }
    }

    /// The number of inputs played so far, including the beginning.
    var playedCount: Int { played.count }

    /// All inputs in order, starting with the beginning.
    var inputs: [PlayedInput] {
        catchUp()
        return played
    }

    /// - Parameter isInterrupted: True if the input was interrupted, so that it had no effect.
    /// - Returns: The error if the input failed.
    @discardableResult
    private func play(
        _ input: FlowInput, isInterrupted: Bool
    ) throws(FlowError) -> FlowError? {
        let isPast = shown < played.last(where: \.isStep)?.step ?? 0
        try goToShown()
        let step = player.step
        player.stoppedTime = input.milliseconds
        // Failed inputs are kept too.
        var failure: FlowError?
        if !isInterrupted {
            do throws(FlowError) { try player.play(input) } catch { failure = error }
        }
        _ = player.takeOutputs()
        shown = player.step
        if isPast, shown > step { giveUp(after: step) }
        if shown > step { isOfOtherCode = false }
        played.append(
            PlayedInput(
                input, after: step, isStep: shown > step,
                isCut: isInterrupted || failure?.code.isCut ?? false))
        // The state is not that of the step any more when it is left without a new step.
        played[played.count - 1].isFromItsState = !isOfOtherCode
        return failure
    }

    /// Drops the steps after one, and the failed inputs after those.
    private func giveUp(after step: Int) {
        let isGivenUp = { (played: PlayedInput) in
            played.input != nil && (played.isStep ? played.after >= step : played.after > step)
        }
        let place = { [played] (index: Int) in index - played[..<index].count(where: isGivenUp) }
        firstOfCode = place(firstOfCode)
        firstDifference = firstDifference.map(place)
        played.removeAll(where: isGivenUp)
        if firstDifference == played.count { firstDifference = nil }
        lost = lost.filter { $0.lowerBound <= step }.map { $0.clamped(to: 0...step) }
    }

    /// True if all that led to an input was as recorded.
    func isAsRecorded(_ number: Int) -> Bool {
        number < (isLost ? firstOfCode : firstDifference ?? .max) && played[number].isFromItsState
    }

    /// The flow's files, relative to ``folder``.
    var files: [String] { player.flow?.files ?? [] }
    /// The rendering after the last input.
    var rendering: Value {
        catchUp()
        return player.rendering
    }
    /// The action types of the root.
    var actionTypes: [String] { player.flow?.actionTypes ?? [] }

    /// The functions of the nodes rendered so far.
    var functions: [(node: String, phase: FlowPhase)] { player.flow?.functions ?? [] }

    /// Reloads the flow's files, so that inputs are played by the current code. After an error, the
    /// old code stays.
    func reload() throws(FlowError) {
        catchUp()
        try player.reload(.keepingState)
        isEdited = true
    }
}
