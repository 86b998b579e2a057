/// The run of the current task, as its host knows it.
package struct RunningWorker: Sendable {
    /// Which run it is.
    package var identity: WorkerIdentity
    /// Called when the run does nothing for some time, and with `nil` when that is over.
    package var onRest: @Sendable (Duration?) -> Void

    package init(
        identity: WorkerIdentity, onRest: @escaping @Sendable (Duration?) -> Void = { _ in }
    ) {
        self.identity = identity
        self.onRest = onRest
    }

    /// That of the current task; `nil` outside of a session.
    @TaskLocal package static var current: RunningWorker?
}
