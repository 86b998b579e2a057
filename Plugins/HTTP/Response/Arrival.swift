import AsyncHTTPClient
import NIOCore
import Synchronization
import WorkerKit

/// The body of a response as it arrives.
struct Arrival: Sendable {
    private let body: HTTPClientResponse.Body
    private let target: Target
    private let idle: Double?
    private let clock: any Clock<Duration>

    init(
        _ body: HTTPClientResponse.Body, of target: Target, within limits: Limits,
        on clock: any Clock<Duration>
    ) {
        self.body = body
        self.target = target
        idle = limits.idle
        self.clock = clock
    }

    /// Passes on the bytes piece by piece, and returns the final `state`.
    ///
    /// - Throws: A ``WorkerError``: `timed_out` if no byte comes for too long, `use` apart.
    func read<State: Sendable>(
        into state: State, _ use: @escaping @Sendable (inout State, [UInt8]) async throws -> Void
    ) async throws -> State {
        guard let idle else { return try await read(state, use) { _ in } }
        return try await read(state, use, idle: .seconds(idle), on: clock)
    }

    private func read<State: Sendable>(
        _ initial: State, _ use: @Sendable (inout State, [UInt8]) async throws -> Void,
        isWaiting: @Sendable (Bool) -> Void
    ) async throws -> State {
        var state = initial
        var pieces = body.makeAsyncIterator()
        while true {
            isWaiting(true)
            let piece: ByteBuffer?
            do {
                piece = try await pieces.next()
            } catch {
                throw Task.isCancelled ? CancellationError() : WorkerError(of: error, at: target)
            }
            isWaiting(false)
            try Task.checkCancellation()
            guard let piece else { return state }
            try await use(&state, Array(piece.readableBytesView))
        }
    }

    private func read<State: Sendable, C: Clock>(
        _ initial: State,
        _ use: @escaping @Sendable (inout State, [UInt8]) async throws -> Void,
        idle: Duration, on clock: C
    ) async throws -> State where C.Duration == Duration {
        // The start of the current wait for the server; nil outside of one.
        let since = Mutex<C.Instant?>(nil)
        let wait = { @Sendable isOn in since.withLock { $0 = isOn ? clock.now : nil } }
        let start = { @Sendable in since.withLock { $0 } ?? clock.now }
        return try await withThrowingTaskGroup(of: State.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await read(initial, use, isWaiting: wait) }
            group.addTask {
                while true {
                    let end = start().advanced(by: idle)
                    guard clock.now < end else {
                        throw WorkerError.timedOut(
                            "\(target.authority) sent nothing", idle / .seconds(1), "idle_timeout")
                    }
                    try await clock.sleep(until: end, tolerance: nil)
                }
            }
            guard let state = try await group.next() else { throw CancellationError() }
            return state
        }
    }
}
