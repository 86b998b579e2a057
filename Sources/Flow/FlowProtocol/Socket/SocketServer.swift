import LibC
import Synchronization
import Timers
import WorkflowKit
import WorkflowLua

/// The thread of a socket. It accepts clients, reads requests and sends events.
final class SocketServer: Sendable {
    private struct State {
        var clients: [SocketClient] = []
        var count = 0
        var isClosing = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The time that clients have to read the last lines after the socket was closed.
    static let patience = Duration.milliseconds(500)

    let file: ListeningSocket
    let limits: SocketLimits
    let user: uid_t
    let pipe: WakePipe
    private let now: @Sendable () -> Int
    private let serve: @Sendable (SocketClient) -> Void
    let interrupt: @Sendable () -> Bool
    private let forks: SessionForks
    private let state = Mutex(State())

    /// - Parameter serve: Called with each client that was accepted.
    init(
        _ file: ListeningSocket, pipe: WakePipe, limits: SocketLimits, user: uid_t,
        now: @escaping @Sendable () -> Int, forks: SessionForks,
        interrupt: @escaping @Sendable () -> Bool,
        serve: @escaping @Sendable (SocketClient) -> Void
    ) {
        self.file = file
        self.pipe = pipe
        self.limits = limits
        self.user = user
        self.now = now
        self.interrupt = interrupt
        self.forks = forks
        self.serve = serve
    }

    /// Starts the thread. Returns false on failure.
    func start() -> Bool { startThread { self.run() } }

    // MARK: From anywhere

    func broadcast(_ event: FlowEvent) {
        let (clients, isClosing) = state.withLock { ($0.clients, $0.isClosing) }
        switch event.kind {
        // These are for a single client.
        case .reply, .values, .snapshot, .news, .done: break
        default:
            let clients = clients.filter(\.wantsEvents)
            guard !clients.isEmpty, !isClosing else { break }
            let line = event.line
            for client in clients { client.enqueue(event, line) }
        }
    }

    func stop() {
        state.withLock { $0.isClosing = true }
        pipe.wake()
    }

    func untilEnd() async {
        await withCheckedContinuation { waiter in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiters.append(waiter) }
                return state.hasEnded
            }
            if hasEnded { waiter.resume() }
        }
    }

    // MARK: For the thread

    var isClosing: Bool { state.withLock(\.isClosing) }

    /// Admits a client, or refuses it and returns `nil`.
    func admit(_ socket: Int32, _ peer: uid_t) -> SocketClient? {
        let (number, isFull) = state.withLock { state in
            state.count += 1
            return (state.count, state.clients.count >= limits.clients)
        }
        let client = SocketClient(socket: socket, number: number, limits: limits, now: now) {
            [pipe] in pipe.wake()
        }
        client.client.setForks(forks)
        guard peer == user, !isFull else {
            refuse(client, peer, FlowError(.tooManyClients, limits.clients))
            return nil
        }
        state.withLock { $0.clients.append(client) }
        serve(client)
        return client
    }

    /// Refuses a client for lack of file descriptors.
    func refuse(_ socket: Int32, _ peer: uid_t, for failure: SystemFailure) {
        let client = SocketClient(socket: socket, number: 0, limits: limits, now: now) {}
        refuse(client, peer, FlowError(.refusedClient, failure))
    }

    private func refuse(_ client: SocketClient, _ peer: uid_t, _ error: FlowError) {
        client.finish("refused", peer == user ? error : FlowError(.otherUser))
        _ = client.send()
        close(client.socket)
    }

    func dismiss(_ client: SocketClient) {
        state.withLock { $0.clients.removeAll { $0 === client } }
        client.leave()
        close(client.socket)
    }

    private func run() {
        var loop = SocketLoop(self)
        loop.run()
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
