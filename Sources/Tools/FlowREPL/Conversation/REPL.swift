import FlowPrinting
import PlainValue
import Terminal
package import WorkflowKit
import WorkflowLua

/// Reads lines about a flow and replies to them.
///
/// It does not depend on a terminal. An error never ends it and never changes a state.
package actor REPL {
    let options: Options
    var opened: OpenSession
    var narrator: SessionNarrator
    /// The lines of an unfinished action or expression.
    private(set) var unfinished = ""
    /// The fields that were sent with actions, by type.
    var sentFields: [String: [String]] = [:]
    /// The fields that the flow's file reads from actions, by type.
    private(set) var sourceFields: [String: [String]] = [:]
    /// The named values of expressions, in order.
    var variables: [(name: String, value: Value)] = []
    /// True if workers were running when the last step was left for an earlier one.
    var leftWorkers = false
    var logging = SessionLog()
    var greeting: [REPLMessage] = []
    package private(set) var hasFailed = false

    init(_ options: Options, _ opened: OpenSession) {
        self.options = options
        self.opened = opened
        narrator = Self.narrator(options)
        sourceFields = opened.readFields()
    }

    /// Loads a flow or plays a recording; without a source, loads an empty flow.
    package static func open(_ source: FlowSource?, options: Options) async throws -> REPL {
        if case .file(let path)? = source, isRecording(path) == true {
            return try await open(recording: path, options: options)
        }
        let opened = try await OpenSession.open(
            source ?? .scratch, restoring: options.snapshot, flowOptions: options.flowOptions,
            options: options)
        return try await make(options, opened)
    }

    /// Plays a recording up to a step, by default the last one; without `flow`, that of the
    /// recording.
    package static func open(
        recording path: String, of flow: String? = nil, at step: Int? = nil, options: Options
    ) async throws -> REPL {
        let (opened, messages) = try await openRecording(path, of: flow, options: options)
        if let step {
            do throws(FlowError) { try await opened.session.go(to: step) } catch {
                await opened.session.leave()
                throw error
            }
        }
        let repl = try await make(options, opened)
        await repl.greet(with: messages)
        return repl
    }

    private static func make(_ options: Options, _ opened: OpenSession) async throws -> REPL {
        do {
            try await opened.listen(by: options)
        } catch {
            await opened.session.leave()
            throw error
        }
        return REPL(options, opened)
    }

    private func greet(with messages: [REPLMessage]) async {
        greeting = await begin(with: messages)
    }

    package static func attach(to session: RemoteSession, options: Options) async -> REPL {
        options.interrupt.watch { session.interrupt() }
        let opened = OpenSession(
            session: session, feed: session.feed, file: session.file, isAttached: true)
        return REPL(options, opened)
    }

    private static func narrator(_ options: Options) -> SessionNarrator {
        SessionNarrator(
            style: options.style, errorStyle: options.errorStyle,
            cutsOutputs: options.cutsOutputs, columns: options.columns)
    }

    var session: any REPLSession { opened.session }

    /// Replaces the session and closes the one before.
    func enter(_ next: OpenSession) async throws(FlowError) {
        let before = opened
        opened = next
        narrator = Self.narrator(options)
        logging = SessionLog()
        sentFields = [:]
        sourceFields = next.readFields()
        await before.session.leave()
        // The path is free only now.
        do { try await next.listen(by: options) } catch { throw Refusal(error).error }
    }

    package var ending: SessionEnding? { opened.session.ending }

    /// Ends the session, or detaches from it.
    package func close() async throws {
        do {
            try await options.save(session)
        } catch {
            await session.leave()
            throw error
        }
        await session.leave()
    }

    // MARK: Lines

    /// True if the next line completes an action or expression.
    package var isUnfinished: Bool { !unfinished.isEmpty }

    package func drop() { unfinished = "" }

    package func respond(to line: String) async -> REPLReply {
        var reply = REPLReply(messages: await news())
        let text = unfinished.isEmpty ? line.trimmed : unfinished + "\n" + line
        let isFirst = unfinished.isEmpty
        unfinished = ""
        if isFirst, text.isEmpty || text.hasPrefix("--") { return reply }
        do throws(FlowError) {
            if isFirst, text.first == "." {
                try await execute(text, &reply)
            } else if text.first == "=" {
                try await evaluate(String(text.dropFirst()), &reply)
            } else {
                try await send(text)
            }
            reply.messages += await news()
        } catch {
            if goesOn(text, after: error) {
                unfinished = text
                return reply
            }
            await say(error, &reply)
        }
        return reply
    }

    /// True if more lines could complete the text.
    private func goesOn(_ text: String, after error: FlowError) -> Bool {
        switch error.code {
        case .syntax where error.location?.file == "input":
            error.isOfUnfinishedSource || isHalfJSON(text)
        case .badAction: isHalfJSON(text)
        default: false
        }
    }

    /// Replies to a line that is not UTF-8.
    package func refuseGarbledLine() async -> REPLReply {
        var reply = REPLReply()
        await say(FlowError(.lineWithoutText), &reply)
        return reply
    }

    /// Handles the end of the input. An unfinished line is an error.
    package func finish() async -> REPLReply {
        var reply = REPLReply(messages: await news(), isOver: true)
        guard !unfinished.isEmpty else { return reply }
        let start = unfinished.split(separator: "\n").first.map(String.init) ?? ""
        unfinished = ""
        await say(FlowError(.unfinishedLine, start), &reply)
        return reply
    }

    /// Replies with an error, unless the session has reported it as an event.
    private func say(_ error: FlowError, _ reply: inout REPLReply) async {
        let news = await newEvents()
        reply.messages += narrator.messages(for: news)
        reply.hasFailed = true
        hasFailed = true
        if news.contains(where: \.isError) { return reply.messages += await newHits() }
        narrator.record(error)
        reply.messages.append(.notice(ErrorPrinter(style: options.errorStyle).short(error)))
    }
}

/// The reply to a line.
package struct REPLReply: Sendable {
    package var messages: [REPLMessage] = []
    package var clearsScreen = false
    /// True if the text is shown a screen at a time.
    package var isPaged = false
    /// True if the line was the last one.
    package var isOver = false
    package var hasFailed = false
}
