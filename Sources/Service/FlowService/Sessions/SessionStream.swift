import HTTPServing
import HummingbirdCore
import NIOCore
import PlainValue
import WorkflowKit
import WorkflowStore

/// The server-sent events of one reader: those it missed, the current state, and those after it.
struct SessionStream: Sendable {
    /// The number of missed steps that are played at once.
    private static let stepsAtATime = 500

    let sessions: ServedSessions
    let id: String
    let principal: Principal
    let place: EventPlace?
    let heartbeat: TimeAmount
    /// True if the reader may still read; checked at each heartbeat.
    let isStillGranted: @Sendable () async -> Bool
    let eventLoop: any EventLoop

    /// The response. Its body ends with the session, the service or the reader.
    func response(to request: Request) async throws(Problem) -> Response {
        // The body releases it, also if the body is not sent, as for HEAD.
        let reading = ReaderPlace(
            try sessions.readers.add(to: id, for: principal.streamClient, of: principal),
            in: sessions.readers, of: id)
        let mailbox = reading.mailbox
        let now = try await sessions.moment(of: id, for: principal, .follow)
        let place = try await present(place)
        mailbox.leaveOut(through: now.version)
        return .events(
            to: request, heartbeat: heartbeat, on: eventLoop, isStillGranted: isStillGranted,
            beat: { mailbox.beat() }, close: { mailbox.close($0) }
        ) { writer in
            var last = now.place
            try await bring(place, to: now, reading.mailbox, &writer)
            while true {
                switch await reading.mailbox.next() {
                case .event(let event, let place):
                    try await writer.write(event)
                    last = place
                case .behind:
                    // Like a reader who was away and comes back.
                    let now = try await sessions.moment(of: id, for: principal, .follow)
                    let place = try await present(last)
                    mailbox.leaveOut(through: now.version)
                    if now.version != last.version {
                        try await bring(place, to: now, reading.mailbox, &writer)
                    }
                    last = now.place
                case .heartbeat: try await writer.write(EventBytes.heartbeat)
                case .end(let reason):
                    try await writer.write(EventBytes.event("bye", ["reason": .string(reason)]))
                    return
                }
            }
        }
    }

    /// Writes the outputs that a reader lacks, and the state.
    private func bring(
        _ place: EventPlace?, to now: SessionMoment, _ mailbox: SessionMailbox,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        if var place {
            while place.step < now.step, !mailbox.isClosed {
                for (_, event) in try await missed(after: &place, until: now) {
                    try await writer.write(event)
                }
            }
        }
        if !mailbox.isClosed { try await writer.write(now.event(of: id)) }
    }

    /// A reader's position in the current steps: it may have seen steps that were dropped since.
    private func present(_ place: EventPlace?) async throws(Problem) -> EventPlace? {
        guard var place, let version = place.version else { return place }
        let (kept, now) = try await problems {
            (
                try await sessions.store.keptStep(of: id, since: version),
                try await sessions.store.summary(of: id)
            )
        }
        // A version that is not there yet is of a session that was deleted.
        if version > now.version { return EventPlace(step: now.firstStep) }
        if let kept { place.giveUp(after: max(kept, now.firstStep)) }
        return place
    }

    /// The outputs of missed steps, from the log. Moves the place past the steps that were read.
    private func missed(
        after place: inout EventPlace, until now: SessionMoment
    ) async throws -> [SessionMailbox.Entry] {
        assert(place.step < now.step)
        let steps = place.step + 1...min(place.step + Self.stepsAtATime, now.step)
        let moments = try await ScriptProcesses.$share.withValue(principal.inputName) {
            try await sessions.pool.resume(id) { try await $0.moments(steps) }
        }
        // The reader has some outputs of the first step.
        var skipped = place.outputCount
        place = EventPlace(step: steps.upperBound)
        return moments.flatMap { moment in
            defer { skipped = 0 }
            return SessionNews.StepOutputs(step: moment.step, outputs: moment.outputs)
                .events(after: skipped, version: now.version)
        }
    }
}

/// Removes a reader when it is released.
private final class ReaderPlace: Sendable {
    let mailbox: SessionMailbox
    private let readers: SessionReaders
    private let id: String

    init(_ mailbox: SessionMailbox, in readers: SessionReaders, of id: String) {
        self.mailbox = mailbox
        self.readers = readers
        self.id = id
    }

    deinit { readers.remove(mailbox, from: id) }
}
