import FlowDebugging
import FlowREPL
import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// A session of another process, whose inputs are played again here. It never stops, and does not depend on the
/// debugger.
final class AttachedSubject: DebugSubject {
    private let socket: String
    private let session = Mutex<RemoteSession?>(nil)
    /// The inputs that the debugger has; `nil` after the session took another way.
    private let known = Mutex<[FlowInput]?>([])
    private let news: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    init(socket: String) { self.socket = socket }

    var isLive: Bool { true }

    var rendering: Value? { get async { await session.withLock { $0 }?.rendering } }

    /// Sets the function that is called, on any thread, when ``takeNews()`` may return something.
    func onNews(_ body: @escaping @Sendable () -> Void) { news.withLock { $0 = body } }

    func begin() async throws -> (recording: FlowRecording, source: FlowSource) {
        let remote = try await RemoteSession.attach(to: socket) { [weak self] in
            self?.news.withLock { $0 }?()
        }
        session.withLock { $0 = remote }
        guard let header = try await remote.firstHeader(), let file = header.file,
            resolvedPath(file) != nil
        else {
            throw FlowError(
                .file, "the session's flow is in no file that can be found from here",
                help: "start the debugger in the folder in which the session was started")
        }
        return (FlowRecording(header: header), .file(file))
    }

    func takeNews() async throws -> [DebuggedInput] {
        guard let remote = session.withLock({ $0 }) else { return [] }
        // Taking the events allows the next notification.
        _ = await remote.removeEvents(of: remote.feed)
        let inputs = await remote.inputs
        let first = try known.withLock { known throws -> Int in
            guard let before = known else { return inputs.count }
            guard inputs.starts(with: before) else {
                known = nil
                let step = zip(inputs, before).prefix { $0 == $1 }.count
                throw FlowError(
                    .misuse, "the session has taken another way after step \(step)",
                    help: "start the debugger again to see it")
            }
            known = inputs
            return before.count
        }
        // It is unknown here which of them failed.
        return inputs[first...].map { DebuggedInput($0, isFailure: true) }
    }

    func takePrinted() -> [(text: String, location: FlowError.Location?)] { [] }

    func send(_ typed: String) async throws {
        guard let remote = session.withLock({ $0 }) else { return }
        switch try await TypedAction(typed, in: remote) {
        case .action(let action): try await remote.send(action, to: nil)
        case .sink(let sink, let fields): try await remote.send(sink: sink, with: fields)
        }
    }

    func release() {}
    // The session belongs to another process.
    func interrupt(isPause: Bool) {}
    func close() async { await session.withLock { $0 }?.leave() }
}
