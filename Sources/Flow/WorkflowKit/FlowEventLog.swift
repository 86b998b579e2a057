import PlainValue
import WorkflowLua

/// The log of a session: numbers its events and passes them on, in order.
///
/// Shared by the session and those that add events to the same order, such as replies.
final class FlowEventLog {
    private let onEvent: (FlowEvent) -> Void
    private let now: () -> Int
    private let journal: FlowJournal?
    let secrets: SecretTexts
    private(set) var sequence = 0
    /// The time of the input that is being processed; `nil` between inputs.
    var inputTime: Int?
    /// While true, events go to the journal alone.
    var isMuted = false
    /// The number of the attached client whose request is being served.
    var client: Int?
    /// The sender of the input that is being processed, if known.
    var principal: String?
    /// The time of the last input: no later event has an earlier one.
    private var earliest = Int.min
    /// The events that are kept back by ``hold()``; `nil` if none are.
    private var held: [FlowEvent]?
    private var streams: [AsyncStream<FlowEvent>.Continuation] = []
    private(set) var attachments: [any FlowAttachment] = []

    init(
        now: @escaping () -> Int, journal: FlowJournal?, secrets: SecretTexts = .none,
        onEvent: @escaping (FlowEvent) -> Void
    ) {
        self.now = now
        self.journal = journal
        self.secrets = secrets
        self.onEvent = onEvent
    }

    /// The time of a recording or a test, which stops between inputs; `nil` for a running clock.
    var stoppedTime: Int?

    /// The time of the next event, in milliseconds since 1970.
    var time: Int { inputTime ?? stoppedTime ?? max(now(), earliest) }

    /// Keeps the time from going back before one, such as an input's, even if the clock goes back.
    func setEarliest(_ milliseconds: Int) { earliest = max(earliest, milliseconds) }

    func add(_ kind: FlowEvent.Kind, cause: Int? = nil) {
        // News are for one client and not part of the session.
        if case .news = kind {} else { sequence += 1 }
        var event = FlowEvent(sequence: sequence, milliseconds: time, cause: cause, kind: kind)
        if event.isAskedFor { event.client = client }
        if event.isInput { event.principal = principal }
        if case .ready(let header) = kind { event.principal = header.principal }
        if held != nil { held?.append(event) } else { tell([event]) }
    }

    /// Keeps events back until ``release(keeping:)``, when the state that a reload keeps is known.
    func hold() {
        assert(held == nil)
        held = []
    }

    /// Passes on the events that were kept back; a reload among them has kept the snapshot.
    func release(keeping snapshot: Value?) {
        assert(held != nil)
        var events = held ?? []
        held = nil
        for index in events.indices {
            if case .reloaded(let hash, _) = events[index].kind {
                events[index].kind = .reloaded(hash: hash, snapshot: snapshot)
            }
        }
        tell(events)
    }

    private func tell(_ events: [FlowEvent]) {
        var problem: FlowError?
        for event in events {
            // Before the event is written, so that its own secrets are masked in it.
            secrets.add(from: event.kind)
            let isNews = if case .news = event.kind { true } else { false }
            if !isNews { problem = journal?.write(event, hiding: secrets) ?? problem }
            if !isMuted { publish(event) }
        }
        // Published even while muted: the recording has ended, and nothing else says so.
        guard let problem else { return }
        sequence += 1
        publish(FlowEvent(sequence: sequence, milliseconds: time, kind: .error(problem)))
    }

    private func publish(_ event: FlowEvent) {
        onEvent(event)
        streams.removeAll { stream in
            if case .terminated = stream.yield(event) { true } else { false }
        }
        for attachment in attachments { attachment.receive(event) }
    }

    func attach(_ attachment: any FlowAttachment) {
        attachments.removeAll(where: \.isClosed)
        attachments.append(attachment)
    }

    /// The events from now on; none is lost, however slow the reader.
    func makeStream() -> AsyncStream<FlowEvent> {
        let (stream, end) = AsyncStream<FlowEvent>.makeStream()
        streams.append(end)
        return stream
    }

    /// Ends all streams, and detaches and returns the attachments.
    func finish() -> [any FlowAttachment] {
        for stream in streams { stream.finish() }
        streams = []
        defer { attachments = [] }
        return attachments
    }
}
