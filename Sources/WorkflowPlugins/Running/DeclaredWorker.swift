import PlainValue
public import WorkerKit
public import Workflow

/// A worker of a plugin with its input, checked and granted: what a node declares in a render.
///
/// Made by ``WorkerSession/declare(_:input:)``. Workers of one name and one equal input
/// are equivalent. A failure is a `WorkerError`.
public struct DeclaredWorker: EmittingWorker {
    /// An output, with its place among those that may be on their way.
    public typealias Output = WorkerOutput

    /// The name of the worker.
    public var name: String { definition.name }

    let definition: WorkerDefinition
    let input: Value
    let session: WorkerSession

    /// Whether name and input are equal.
    public func isEquivalent(to otherWorker: DeclaredWorker) -> Bool {
        name == otherWorker.name && input == otherWorker.input
            && session === otherWorker.session
    }

    /// Runs the worker; what it emits waits until the node has dealt with what came before.
    public func run(into outlet: WorkerOutlet<WorkerOutput>) async throws {
        let run = try session.begin(name)
        defer { session.end(run) }
        let window = OutputWindow()
        let context = WorkerContext(
            log: session.logger(for: name), clock: WorkerClock.current, grants: session.grants)
        let outputs = WorkerEmitter<Value> { value in
            let (value, size) = try Self.checked(value)
            try await window.send(size: size) { place in
                outlet.send(WorkerOutput(value, hold: place))
            }
        }
        do {
            try await definition.run(input, context: context, outputs: outputs)
            await window.close()
        } catch {
            await window.close()
            if Task.isCancelled { throw error }
            throw WorkerError(describing: error)
        }
    }

    /// An output that can cross, and what it takes.
    private static func checked(_ value: Value) throws(WorkerError) -> (value: Value, size: Int) {
        do throws(ValueError) {
            let encoded = try value.encoded(limits: OutputWindow.limits)
            return (encoded.value, encoded.byteCount)
        } catch {
            throw WorkerError("bad_output", "an output is no value: \(error)")
        }
    }
}
