import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit

extension REPL {
    /// The messages about events since the last line that no line caused.
    package func news() async -> [REPLMessage] {
        defer { greeting = [] }
        let messages = narrator.messages(for: await newEvents())
        return greeting + messages + (await newHits())
    }

    /// Takes the new events, and remembers whether an input has failed.
    func newEvents() async -> [SessionFeed.Item] {
        let events = await opened.news()
        logging.hasNewFailure = logging.hasNewFailure || events.contains(where: \.isError)
        return events
    }

    package var prompt: String {
        get async {
            let status = await session.status
            let place = status.isInPast ? "@\(status.step)/\(status.stepCount)" : ""
            let text = printable(status.name) + place
            guard !unfinished.isEmpty else { return text + "> " }
            return ">> ".paddedLeft(to: displayWidth(text) + 2)
        }
    }

    /// The flow's name and its rendering, on one line.
    package func headline() async -> String {
        let name = await session.status.name
        var parts = [options.style.bold(printable(name))]
        let room = max(options.columns(), 40)
        var used = displayWidth(name)
        for (key, value) in await session.rendering.withoutSinks.record ?? [:] {
            let part = printable(key) + "=" + value.line(width: 24)
            used += displayWidth(part) + 2
            guard used <= room else {
                parts.append("…")
                break
            }
            parts.append(part)
        }
        return parts.joined(separator: "  ")
    }
}
