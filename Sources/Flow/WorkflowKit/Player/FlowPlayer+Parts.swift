import PlainValue
import WorkflowLua

extension FlowPlayer {
    /// The inputs that are being dealt with, and what comes of them.
    struct InputClock {
        /// The inputs that are being dealt with. Those which came while others waited come first.
        var underWay: [InputUnderWay] = []
        /// Hears what happens while inputs are replayed, so that the log does not; `nil` unless
        /// some are.
        var silence: SilentListener?
        /// The number of the last rendering.
        var pass = 0
        /// The first action applied since the last request came in; what the next rendering is
        /// caused by.
        var cause: Int?
        /// The event of a worker, if that is the last request.
        var news: Int?
        /// The outputs of the root that nobody has asked for yet.
        var untaken = UntakenOutputs()
    }

    /// An input that is being dealt with.
    struct InputUnderWay {
        let input: FlowInput
        /// The state of the random numbers before it.
        let random: RandomState
        /// The time at which it began, by ``FlowOptions/coarseClock()``.
        let start: Int
    }

    /// The steps so far, and what looks at them have left.
    struct Past {
        var timeline = Timeline()
        /// The state that the timeline begins with; its tree is `nil` if the flow began anew.
        var origin: FlowCheckpoint?
        /// The tree at the end of the timeline, with its workers held, while an earlier step is
        /// shown.
        var parked: FlowTree?
        /// The results of looks that the next look can use.
        var looks = Looks()
        /// The last step that is kept; see ``confirm(through:)``.
        var confirmedStep = -1
    }

    /// The scripts: where they came from, and the state of their process.
    struct ScriptLife {
        let interruption: FlowInterrupt
        /// The flow as it was given.
        var source: FlowSource?
        /// The folder of the flow's file, as it was named; empty if it has none.
        var folder = ""
        /// The first event of the log.
        var header: FlowHeader?
        /// True if other files of the flow made the snapshot that it went on from.
        var hasOtherFiles = false
        /// True while files are loaded again: the reload tells of failures itself.
        var isReloading = false
        /// The places of likely mistakes that were told since the files were loaded.
        var noted: Set<FlowError.Location> = []
        /// How the tree gets definitions of a new process of the scripts.
        var recovery = Recovery()
    }

    /// The workers that the flow declares.
    struct WorkerYard {
        /// The workers behind their gates; `nil` if whoever loads the flow sees to them.
        var workers: GatedWorkers?
        /// True if they do nothing by themselves.
        var isSilent: Bool
        /// Start times and inputs of the running workers.
        let starts: WorkerStarts
        /// The refusals of the time when the input that is replayed came first.
        var replayed: [WorkerRefusal]?
        /// True while what a worker gave is played by somebody else.
        var playsNews = false
        /// True while what came before is played again, be it of a worker that has ended since.
        var playsAgain = false
    }

    /// Leads from a tree to its player as long as that exists.
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
        /// Called when an input has been dealt with in full.
        var onInputEnd: (() -> Void)?
        /// Waits until scripts may run for the news of workers, has these dealt with, and lets the
        /// scripts rest.
        var runsNews: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?
    }
}
