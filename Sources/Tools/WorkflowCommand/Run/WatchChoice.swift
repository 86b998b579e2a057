import ArgumentParser
import WorkflowKit

/// The choices of `--watch`: what happens to the state when a flow's files change.
enum WatchChoice: String, ExpressibleByArgument, CaseIterable {
    case state, replay

    var policy: ReloadPolicy {
        switch self {
        case .state: .keepingState
        case .replay: .replayingInputs
        }
    }
}
