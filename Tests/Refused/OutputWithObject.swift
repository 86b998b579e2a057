import Workflow

final class Page { var text = "" }

// The output of a worker goes to another task.
struct Load: Worker, Equatable {  // error: type 'Page' does not conform to the 'Sendable' protocol
    func run() async -> Page { Page() }
}
