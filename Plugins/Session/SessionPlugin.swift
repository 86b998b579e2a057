public import WorkerKit

/// The plugin `session`: workers that reach other sessions of the same service.
///
/// ```swift
/// let slot = SessionServiceSlot()
/// options.plugins = try WorkerRegistry([SessionPlugin.plugin(in: slot)])
/// options.grants = Grants([Grant("session", "order")])
/// ```
///
/// A send is kept with the state that declares it, and arrives once, whichever of the service's
/// hosts it is sent from. Each access needs a grant of a flow: `session=order`.
public enum SessionPlugin {
    /// `session.send`, `session.create` and `session.outputs`.
    ///
    /// ```swift
    /// options.plugins = try WorkerRegistry([SessionPlugin.plugin(in: slot)])
    /// var service = ServiceOptions(flows: [.init(file: file, options: options)], store: path)
    /// service.sessionSlot = slot  // the same one
    /// ```
    ///
    /// - Parameter slot: The place of the service. Without one, each run fails.
    public static func plugin(in slot: SessionServiceSlot) -> Plugin {
        Plugin(
            "session", version: "1.0.0",
            workers: [
                SessionSend(slot: slot), SessionCreate(slot: slot), SessionOutputs(slot: slot),
            ])
    }
}

extension SessionServiceSlot {
    func reach(_ context: WorkerContext) throws(WorkerError) -> (
        any SessionService, WorkerIdentity
    ) {
        guard let service, let identity = context.identity else {
            throw WorkerError(
                "no_service", "there are no other sessions here",
                help: "serve the flow with workflow-run serve")
        }
        return (service, identity)
    }
}
