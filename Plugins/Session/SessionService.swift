public import PlainValue
import Synchronization
public import WorkerKit

/// A service whose sessions workers reach; see ``SessionPlugin``.
///
/// - Important: A call that was interrupted may be repeated with the worker's identity, and takes
///   effect once.
public protocol SessionService: AnyObject, Sendable {
    /// The name of a session's flow.
    ///
    /// - Throws: A `WorkerError` with the code `not_found` if there is no such session.
    func flow(ofSession id: String) async throws -> String

    /// Sends an action to a session, if its flow lets the sender do so.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - id: The session.
    ///   - node: The path of a node; by default the root.
    ///   - sender: The worker that sends it.
    /// - Returns: The session's answer.
    /// - Throws: A `WorkerError`.
    func send(
        _ action: Value, toSession id: String, node: String?, by sender: WorkerIdentity
    ) async throws -> SessionAnswer

    /// Creates a session, if its flow lets the sender do so.
    ///
    /// - Parameters:
    ///   - id: The id of the new session.
    ///   - flow: The name of its flow.
    ///   - props: The props of its root; by default those of the flow.
    ///   - sender: The worker that asks for it.
    /// - Throws: A `WorkerError`, with the code `exists` if another session has the id.
    func createSession(
        _ id: String, of flow: String, props: Value?, by sender: WorkerIdentity
    ) async throws -> SessionAnswer

    /// Gives the outputs of a session's root until it is deleted, if its flow lets the sender.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - place: The last output that the follower has; by default all that there are now.
    ///   - sender: The worker that follows it.
    ///   - give: Takes the next output.
    /// - Throws: A `WorkerError`.
    func followSession(
        _ id: String, after place: SessionOutputPlace?, by sender: WorkerIdentity,
        _ give: @Sendable (SessionOutput) async throws -> Void
    ) async throws
}

/// A session after a request of a worker.
public struct SessionAnswer: Codable, Sendable {
    /// The id.
    public var session: String
    /// The step.
    public var step: Int
    /// The rendering.
    public var rendering: Value

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - session: The id of the session.
    ///   - step: The step after the request.
    ///   - rendering: The rendering of that step.
    public init(session: String, step: Int, rendering: Value) {
        self.session = session
        self.step = step
        self.rendering = rendering
    }
}

/// A position among the outputs of a session: the last one that a follower has.
public struct SessionOutputPlace: Codable, Sendable {
    /// The step.
    public var step: Int
    /// The number among the outputs of the step, from 1; all of them if it is left out.
    public var number: Int?

    /// Makes a position.
    public init(step: Int, number: Int? = nil) {
        self.step = step
        self.number = number
    }
}

/// An output of a session's root.
public struct SessionOutput: Codable, Sendable {
    /// The step.
    public var step: Int
    /// The number among the outputs of the step, from 1.
    public var number: Int
    /// The output.
    public var output: Value

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - step: The step that emitted it.
    ///   - number: The number among the outputs of the step, from 1.
    ///   - output: The plain value.
    public init(step: Int, number: Int, output: Value) {
        self.step = step
        self.number = number
        self.output = output
    }
}

/// The place for a service, which is made after the flows that use it.
public final class SessionServiceSlot: Sendable {
    private struct Reference: Sendable {
        weak var service: (any SessionService)?
    }

    private let reference = Mutex(Reference())

    /// Makes an empty place.
    ///
    /// ```swift
    /// let slot = SessionServiceSlot()
    /// slot.service = service
    /// ```
    public init() {}

    /// The service; `nil` before it starts and after its end.
    ///
    /// - Important: The slot does not keep it alive.
    public var service: (any SessionService)? {
        get { reference.withLock(\.service) }
        set { reference.withLock { $0.service = newValue } }
    }
}
