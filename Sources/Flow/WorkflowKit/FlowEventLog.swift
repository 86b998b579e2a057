import PlainValue
import WorkflowLua

/// Numbers what happens in a session and hands it on, in order.
///
/// Shared by a session and by whoever adds events of its own to the same order, such as a protocol's replies.
final class FlowEventLog {
    private let onEvent: (FlowEvent) -> Void
    private let now: () -> Int
    private let journal: FlowJournal?
    /// What is not to be seen of what happens, as far as it has come up.
    let secrets: SecretTexts
    private(set) var sequence = 0
    /// The time of the input that is being dealt with; `nil` between inputs.
    var inputTime: Int?
    /// Whether what happens is recorded and nobody is told of it.
    var isMuted = false
    /// The number of the attached client whose request is being served.
    var client: Int?
    /// Who brought the input that is being dealt with, if that is known.
    var principal: String?
    /// The time of the last input: no later event has an earlier one.
    private var earliest = Int.min
    /// The events that are kept back; `nil` if none are.
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

    /// The time that stands still between inputs, of a recording or a test; `nil` where time passes by itself.
    var stoppedTime: Int?

    /// The time of what happens now, in milliseconds since 1970.
    var time: Int { inputTime ?? stoppedTime ?? max(now(), earliest) }

    /// Sees to it that the time never goes back before one, such as that of an input, even if the clock does.
    func setEarliest(_ milliseconds: Int) { earliest = max(earliest, milliseconds) }

    func add(_ kind: FlowEvent.Kind, cause: Int? = nil) {
        // They are of one client, and no part of the session.
        if case .news = kind {} else { sequence += 1 }
        var event = FlowEvent(
            sequence: sequence, milliseconds: time, cause: cause, kind: kind)
        if event.isAskedFor { event.client = client }
        if event.isInput { event.principal = principal }
        if case .ready(let header) = kind { event.principal = header.principal }
        if held != nil { held?.append(event) } else { tell([event]) }
    }

    /// Keeps events back until ``release(keeping:)``: what came of a reload is known after it.
    func hold() { held = [] }

    /// Tells of the events that were kept back.
    ///
    /// - Parameter snapshot: The state that a reload among them has kept.
    func release(keeping snapshot: Value?) {
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
            secrets.add(from: event.kind)
            let isNews = if case .news = event.kind { true } else { false }
            if !isNews { problem = journal?.write(event, hiding: secrets) ?? problem }
            if !isMuted { publish(event) }
        }
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

    /// Tells somebody outside of each event from now on.
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

    /// Tells nobody any more.
    ///
    /// - Returns: Those who were attached.
    func finish() -> [any FlowAttachment] {
        for stream in streams { stream.finish() }
        streams = []
        defer { attachments = [] }
        return attachments
    }
}
