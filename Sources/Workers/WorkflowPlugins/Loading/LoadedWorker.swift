import CWorkflowPlugin

/// The functions of one worker of a library. `@unchecked Sendable` because the interface lets any
/// thread call them and pass the context.
struct LoadedWorker: @unchecked Sendable {
    let name: String
    private let context: UnsafeMutableRawPointer?
    private let startFunction:
        @convention(c) (UnsafeMutableRawPointer?, workflow_run, UnsafeRawPointer?, Int) -> Void
    private let cancelFunction: @convention(c) (UnsafeMutableRawPointer?, workflow_run) -> Void
    private let roomFunction: (@convention(c) (UnsafeMutableRawPointer?, workflow_run) -> Void)?
    private let wokenFunction:
        (@convention(c) (UnsafeMutableRawPointer?, workflow_run, UInt64) -> Void)?

    /// Returns nil if a required function is missing.
    init?(name: String, _ entry: workflow_worker) {
        guard let start = entry.start, let cancel = entry.cancel else { return nil }
        self.name = name
        context = entry.context
        startFunction = start
        cancelFunction = cancel
        roomFunction = entry.room
        wokenFunction = entry.woken
    }

    func start(_ run: workflow_run, input: UnsafeRawBufferPointer) {
        startFunction(context, run, input.baseAddress, input.count)
    }

    func cancel(_ run: workflow_run) { cancelFunction(context, run) }
    func roomCame(_ run: workflow_run) { roomFunction?(context, run) }
    func wake(_ run: workflow_run, token: UInt64) { wokenFunction?(context, run, token) }

    /// True if the library implements ``wake(_:token:)``.
    var canWake: Bool { wokenFunction != nil }
}
