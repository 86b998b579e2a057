import PlainValue
public import WorkerKit
public import Workflow

/// A plugin's worker with its input, checked and granted, as a node declares it in a render.
///
/// Made by ``WorkerSession/declare(_:input:)``. Workers of one name and one equal input
/// are equivalent. A failure is a `WorkerError`.
public struct GrantedWorker: EmittingWorker {
    /// An output with its place in the window.
    public typealias Output = WorkerOutput

    /// The name of the worker.
    public var name: String { definition.name }

    let definition: WorkerDefinition
    let input: Value
    let session: WorkerSession

    /// True if name, input and session are equal.
    public func isEquivalent(to otherWorker: GrantedWorker) -> Bool {
        name == otherWorker.name && input == otherWorker.input
            && session === otherWorker.session
    }

    /// Runs the worker. Its outputs wait until the node has processed the earlier ones.
    public func run(into sink: WorkerSink<WorkerOutput>) async throws {
        let run = try session.begin(name)
        defer { session.end(run) }
        let window = OutputWindow { value, slot in sink.send(WorkerOutput(value, hold: slot)) }
        let context = WorkerContext(
            log: session.logger(for: name), clock: WorkerClock.current,
            folder: session.grants.folder, identity: RunningWorker.current?.identity
        ) { [session, name] access throws(WorkerError) in try session.check(access, of: name) }
        do {
            try await definition.run(input, context: context, outputs: WorkerEmitter(window))
            await window.close()
        } catch {
            await window.close()
            if Task.isCancelled { throw error }
            throw WorkerError(describing: error)
        }
    }
}
