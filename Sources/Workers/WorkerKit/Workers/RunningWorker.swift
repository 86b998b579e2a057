/// The run of the current task, from the view of its host.
package struct RunningWorker: Sendable {
    package var identity: WorkerIdentity
    /// Called when the run rests for some time, and with `nil` when the rest is over.
    var onRest: @Sendable (Duration?) -> Void

    package init(
        identity: WorkerIdentity, onRest: @escaping @Sendable (Duration?) -> Void = { _ in }
    ) {
        self.identity = identity
        self.onRest = onRest
    }

    /// The run of the current task; `nil` outside of a session.
    @TaskLocal package static var current: RunningWorker?
}
