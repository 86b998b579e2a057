import FlowDebugging
import FlowPrinting
import FlowREPL
import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// A session of another process, whose inputs are played again here. The session never stops.
final class AttachedSubject: DebugSubject {
    fileprivate struct State {
        var remote: RemoteSession?
        /// True if the debugger has the flow's beginning.
        var hasBegun = false
        /// The inputs of which the session has told; `nil` before the beginning.
        var recording: FlowRecording?
        /// The number of these inputs that the session has processed.
        var completeCount = 0
        /// True if the first of them was passed on before it had ended.
        var hasTaken = false
        /// The number of the session's steps that the debugger has, and the one that is shown.
        var (count, shown) = (0, 0)
        /// The moves to other steps, each before one of these inputs, and the reloads of the files.
        var moves: [(index: Int, to: (step: Int, count: Int)?)] = []
        /// True after the session took another way.
        var isLost = false
        var printed: [(text: String, location: FlowError.Location?)] = []
    }

    private let socket: String
    private let state = Mutex(State())
    private let news: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    init(socket: String) { self.socket = socket }

    var isLive: Bool { true }

    var ending: String? {
        remote?.ending.map { ending in
            ending.status == .success
                ? "the session has ended"
                : "the connection was lost: the program at \(socket) has ended"
        }
    }

    private var remote: RemoteSession? { state.withLock(\.remote) }

    var rendering: Value? { get async { await remote?.rendering } }

    /// Sets the function to call, on any thread, when ``takeNews(isPause:)`` may return something.
    func onNews(_ body: @escaping @Sendable () -> Void) { news.withLock { $0 = body } }

    func begin(
        isHurried: @escaping @Sendable () -> Bool
    ) async throws -> (recording: FlowRecording, source: FlowSource) {
        let remote = try RemoteSession(
            path: socket, onNews: { [weak self] in self?.news.withLock { $0 }?() },
            isHurried: isHurried)
        state.withLock { $0.remote = remote }
        do {
            // The request may have come before there was anything to interrupt.
            if isHurried() { throw FlowError(.wasInterrupted) }
            try await remote.begin()
            guard let header = try await remote.firstHeader(), let file = header.file,
                resolvedPath(file) != nil
            else { throw FlowError(.flowElsewhere) }
            let (inputs, step) = try await remote.timeline()
            state.withLock { state in
                (state.count, state.shown) = (inputs.count, step)
                state.recording = FlowRecording(header: header)
                state.hasBegun = true
            }
            return (FlowRecording(header: header, inputs: inputs), .file(file))
        } catch {
            remote.detach()
            throw isHurried() ? FlowError(.wasInterrupted) : error
        }
    }

    func takeNews(isPause: Bool) throws -> [DebuggedInput] {
        guard let remote else { return [] }
        let (events, completeCount) = remote.takeEvents()
        return try state.withLock { state in
            guard !state.isLost else { return [] }
            do throws(FlowError) {
                try state.read(events, completeCount)
                return try state.inputs(isPause: isPause)
            } catch {
                state.isLost = true
                throw error
            }
        }
    }

    func takePrinted() -> [(text: String, location: FlowError.Location?)] {
        state.withLock { state in
            defer { state.printed = [] }
            return state.printed
        }
    }

    func send(_ typed: String) async throws {
        if let remote { try await TypedAction(typed, in: remote).send(to: remote) }
    }

    func release() {}

    // The session belongs to another process. It is only the wait for it that ends.
    func interrupt(isPause: Bool) {
        let (remote, hasBegun) = state.withLock { ($0.remote, $0.hasBegun) }
        if hasBegun { remote?.endWaits() } else if !isPause { remote?.detach() }
    }

    func close() async { await remote?.leave() }
}

extension AttachedSubject.State {
    private var stepCount: Int { recording?.steps.count ?? 0 }

    /// Reads events. `count` of them are all that came of their inputs and of those before; `nil`
    /// if no more is known than before.
    fileprivate mutating func read(_ events: [FlowEvent], _ count: Int?) throws(FlowError) {
        for (index, event) in events.enumerated() {
            if index == count { completeCount = stepCount }
            switch event.kind {
            case .moved(let step, let count, _): moves.append((stepCount, (step, count)))
            case .reloaded: moves.append((stepCount, nil))
            case .log(_, let message, let location?): printed.append((message, location))
            default: try recording?.read(event)
            }
        }
        if count == events.count { completeCount = stepCount }
        // An input begins when the one before has ended.
        completeCount = max(completeCount, stepCount - 1)
    }

    /// The inputs that have ended, and for a pause the unfinished one; throws if the session has
    /// taken another way.
    fileprivate mutating func inputs(isPause: Bool) throws(FlowError) -> [DebuggedInput] {
        let steps = recording?.steps ?? []
        let last = completeCount == steps.count ? nil : steps.last
        let isUnderWay = last.map { $0.rendering == nil && $0.error == nil } ?? false
        let taken = isUnderWay || !isPause ? completeCount : steps.count
        var inputs: [DebuggedInput] = []
        recording?.steps.removeFirst(taken)
        for (index, step) in steps.prefix(taken).enumerated() {
            try move(before: index)
            if step.isStep {
                guard shown == count else { throw FlowError(.otherWay, shown) }
                count += 1
                shown = count
            }
            let code = step.error.flatMap { FlowError.Code(rawValue: $0.code) }
            inputs.append(
                DebuggedInput(
                    step.input, isInterrupted: step.rendering == nil && code?.isCut ?? false,
                    isFailure: step.error != nil))
            hasTaken = false
        }
        try move(before: inputs.count)
        moves = moves.map { ($0.index - inputs.count, $0.to) }
        completeCount = max(0, completeCount - inputs.count)
        guard isPause, isUnderWay, !hasTaken, let last else { return inputs }
        hasTaken = true
        return inputs + [DebuggedInput(last.input, isInterrupted: true, isUnderWay: true)]
    }

    /// Goes to the steps that were shown before an input of the recording.
    private mutating func move(before index: Int) throws(FlowError) {
        while let move = moves.first, move.index <= index {
            moves.removeFirst()
            guard let (step, count) = move.to else { throw FlowError(.loadedAgain, shown) }
            shown = step
            if count < self.count { throw FlowError(.otherWay, count) }
        }
    }
}
