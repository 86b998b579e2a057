import FlowPrinting
import PlainValue
import Terminal
package import WorkflowKit
import WorkflowLua

/// A conversation about a flow: takes lines, and says what comes of them.
///
/// Knows nothing of terminals. An error never ends it and never changes a state.
package actor REPL {
    let settings: Settings
    var world: REPLWorld
    var transcript: Transcript
    /// The lines of an action or expression that goes on.
    private(set) var unfinished = ""
    /// The fields that actions were sent with, by their types.
    var sentFields: [String: [String]] = [:]
    /// The fields that the flow's file reads of actions, by their types.
    private(set) var sourceFields: [String: [String]] = [:]
    /// Whether workers were at work when the last step was left for an earlier one.
    var leftWorkers = false
    /// Whether any line failed.
    package private(set) var hasFailed = false

    private init(_ settings: Settings, _ world: REPLWorld) {
        self.settings = settings
        self.world = world
        transcript = Self.transcript(settings)
        sourceFields = world.readFields()
    }

    /// Loads a flow, or an empty one.
    package static func open(
        _ source: FlowSource?, settings: Settings
    ) async throws(Refusal) -> REPL {
        let world: REPLWorld
        do throws(FlowError) {
            world = try await REPLWorld.open(
                source ?? .scratch, restoring: settings.snapshot, options: settings.options,
                settings: settings)
        } catch {
            throw Refusal(error, ExitStatus(error))
        }
        do throws(Refusal) {
            try await world.listen(at: settings.socket)
        } catch {
            await world.session.leave()
            throw error
        }
        return REPL(settings, world)
    }

    /// Talks about a session of another process.
    package static func attach(to session: RemoteSession, settings: Settings) async -> REPL {
        settings.interrupt.watch { session.interrupt() }
        let world = REPLWorld(
            session: session, feed: session.feed, file: session.file, isAttached: true)
        return REPL(settings, world)
    }

    private static func transcript(_ settings: Settings) -> Transcript {
        Transcript(
            style: settings.style, errorStyle: settings.errorStyle, columns: settings.columns)
    }

    var session: any REPLSession { world.session }

    /// Goes on with another session; the one before is closed.
    func enter(_ next: REPLWorld) async throws(FlowError) {
        let before = world
        world = next
        transcript = Self.transcript(settings)
        sentFields = [:]
        sourceFields = next.readFields()
        await before.session.leave()
        // Only now is the path free.
        do throws(Refusal) { try await next.listen(at: settings.socket) } catch {
            throw error.error
        }
    }

    /// Why there is no session any more that lines could be about; `nil` while there is one.
    package var ending: SessionEnding? { world.session.ending }

    /// Ends the session, or detaches from it.
    package func close() async throws(Refusal) {
        do throws(Refusal) {
            try await settings.save(session)
        } catch {
            await session.leave()
            throw error
        }
        await session.leave()
    }

    // MARK: Lines

    /// Whether a line is half an action or expression, which the next one completes.
    package var isUnfinished: Bool { !unfinished.isEmpty }

    /// Forgets the lines of an unfinished one.
    package func drop() { unfinished = "" }

    /// Deals with a line.
    package func take(_ line: String) async -> REPLReply {
        var reply = REPLReply(pieces: await news())
        let text = unfinished.isEmpty ? line.trimmed : unfinished + "\n" + line
        let isFirst = unfinished.isEmpty
        unfinished = ""
        if isFirst, text.isEmpty || text.hasPrefix("--") { return reply }
        do throws(FlowError) {
            if isFirst, text.first == "." {
                try await obey(text, &reply)
            } else if text.first == "=" {
                try await evaluate(String(text.dropFirst()), &reply)
            } else {
                try await send(text)
            }
            reply.pieces += await news()
        } catch {
            if error.isUnfinished(text) {
                unfinished = text
                return reply
            }
            await say(error, &reply)
        }
        hasFailed = hasFailed || reply.hasFailed
        return reply
    }

    /// Says that a line cannot be read.
    package func refuseGarbledLine() async -> REPLReply {
        var reply = REPLReply()
        await say(FlowError(.badAction, "the line is no UTF-8 text"), &reply)
        hasFailed = true
        return reply
    }

    /// Deals with the end of the input, where an unfinished line is an error.
    package func finish() async -> REPLReply {
        var reply = REPLReply(pieces: await news(), isOver: true)
        guard !unfinished.isEmpty else { return reply }
        let start = unfinished.split(separator: "\n").first.map(String.init) ?? ""
        unfinished = ""
        await say(FlowError(.badAction, "the input ends within: \(start)"), &reply)
        hasFailed = true
        return reply
    }

    /// Says an error, unless the session has reported it as an event.
    private func say(_ error: FlowError, _ reply: inout REPLReply) async {
        let news = await world.news()
        let isKnown = news.contains { item in
            if case .error = item.event.kind { true } else { false }
        }
        reply.pieces += transcript.pieces(for: news)
        reply.hasFailed = true
        if isKnown { return }
        transcript.note(error)
        reply.pieces.append(.message(ErrorPrinter(style: settings.errorStyle).text(error)))
    }
}

extension FlowError {
    /// Whether more lines could make a text right that is not.
    fileprivate func isUnfinished(_ text: String) -> Bool {
        if code == .syntax, location?.file == "input" { return message.contains("<eof>") }
        return code == .badAction && message == Self.unfinishedJSON.message
    }

    /// An action in JSON whose end is missing.
    static let unfinishedJSON = FlowError(.badAction, "the JSON is not complete")
}
