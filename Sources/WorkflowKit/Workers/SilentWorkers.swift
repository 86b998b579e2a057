package import PlainValue
import Synchronization
package import WorkerKit
package import WorkflowLua
package import WorkflowPlugins

/// Workers of any name that never do anything by themselves: those of a recording or a copy, which plays their part.
package final class SilentWorkers: WorkerSource {
    private let registry: WorkerRegistry
    private let refused = Mutex<WorkerError?>(nil)

    /// - Parameter registry: The plugins that are there; they are asked only for what ``refusal`` says.
    package init(registry: WorkerRegistry) { self.registry = registry }

    /// Why the session that is played again was refused a worker which it declares now; see ``FlowInput``.
    ///
    /// The worker that this error names is refused again, whatever its input, as it was up to the machine of that
    /// time. A wrong input is up to the flow: it is refused if it is still wrong, as far as there is the plugin.
    var refusal: WorkerError? {
        get { refused.withLock { $0 } }
        set { refused.withLock { $0 = newValue } }
    }

    package func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        guard let refusal, refusal.message.contains("'\(name)'") else { return Self.work }
        guard refusal.code == FlowError.Code.badInput.rawValue,
            (try? registry.worker(named: name)) != nil
        else { throw refusal }
        return try CheckedWorkers(registry: registry).work(of: name, input: input)
    }

    /// Work that lasts until it is cancelled.
    static let work: ScriptedWork = { _ in
        let (stream, end) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            end.finish()
        }
        throw CancellationError()
    }
}

extension FlowError {
    /// Why a worker was refused, if that is what made a render fail.
    var refusal: WorkerError? {
        guard phase == .render else { return nil }
        return WorkerError(refusal: code.rawValue, message, help: help)
    }
}

extension WorkerError {
    /// Why a worker was refused; `nil` if the code is of another error.
    init?(refusal code: String, _ message: String, help: String? = nil) {
        let codes: [FlowError.Code] = [.unknownWorker, .badInput, .notGranted]
        guard codes.contains(where: { $0.rawValue == code }) else { return nil }
        self.init(code, message, help: help)
    }
}
