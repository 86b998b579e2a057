import PlainValue
import WorkflowLua

extension FlowPlayer {
    /// The inputs that are being processed, and their results so far.
    struct InputProcessing {
        /// The inputs that are being processed; one that came while others waited is before them.
        var underWay: [InputUnderWay] = []
        /// Receives the reports while inputs are replayed, in place of the log; `nil` otherwise.
        var silence: SilentListener?
        /// The number of the last rendering.
        var pass = 0
        /// The event of the first action since the last request: the cause of the next rendering.
        var cause: Int?
        /// The event of the worker's news, if these are the last request.
        var news: Int?
        var untaken = UntakenOutputs()
    }

    struct InputUnderWay {
        let input: FlowInput
        /// The state of the random numbers before it.
        let random: RandomState
        /// The time at which it began, by ``FlowOptions/coarseClock()``.
        let start: Int
    }

    /// The steps so far, and the results of looks at them.
    struct Past {
        var timeline = Timeline()
        /// The state at the beginning of the timeline; its tree is `nil` without a snapshot.
        var origin: FlowCheckpoint?
        /// The tree of the last step, with its workers held, while an earlier step is shown.
        var parked: FlowTree?
        var looks = Looks()
        /// The last step that is stored; see ``confirm(through:)``.
        var confirmedStep = -1
    }

    /// The scripts: their source, and the state of their process.
    struct Scripts {
        let interruption: FlowInterrupt
        var source: FlowSource?
        /// The folder of the flow's file, as it was named; empty if it has none.
        var folder = ""
        var header: FlowHeader?
        /// True if other files of the flow made the snapshot that the session continued from.
        var hasOtherFiles = false
        /// True during a reload, which reports failures itself.
        var isReloading = false
        /// The places of likely mistakes that were logged since the files were loaded.
        var noted: Set<FlowError.Location> = []
        var recovery = Recovery()
    }

    /// The workers that the flow declares.
    struct Workers {
        /// The workers behind their gates; `nil` for a flow with workers of its own.
        var gated: GatedWorkers?
        /// True if the workers do nothing by themselves.
        var isSilent: Bool
        let starts: WorkerStarts
        /// The refusals that are recorded with the input that is replayed; `nil` if none is.
        var replayed: [WorkerRefusal]?
        /// True while news of a worker are played that the worker did not send now.
        var playsNews = false
        /// True while earlier news are replayed, for which the worker may have ended since.
        var playsAgain = false
    }

    /// A tree's reference to its player, `nil` once the player is released.
    ///
    /// A weak reference would do, but an object that has one takes longer to be retained: an action
    /// of a session took a tenth more time.
    final class Link {
        unowned var player: FlowPlayer?
    }

    /// The session that the player belongs to.
    struct Host {
        let options: FlowOptions
        /// The isolation that the tree belongs to.
        weak var owner: (any Actor)?
        var onInputEnd: (() -> Void)?
        /// Runs a function with the news of workers once a script process is free.
        var runsNews: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?
    }
}
