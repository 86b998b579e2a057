import ArgumentParser
import WorkflowKit

/// The choices of `--watch`: the treatment of the state of a flow whose files have changed.
enum WatchChoice: String, ExpressibleByArgument, CaseIterable {
    case state, replay

    var policy: ReloadPolicy {
        switch self {
        case .state: .keepingState
        case .replay: .replayingInputs
        }
    }
}
