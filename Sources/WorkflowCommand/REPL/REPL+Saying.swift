import PlainValue
import WorkflowKit

extension REPL {
    /// What happened since the last line, by itself.
    func news() async -> [REPLPiece] { transcript.pieces(for: await world.news()) }

    /// What to ask for the next line with.
    var prompt: String {
        get async {
            let (step, count) = (await session.step, await session.stepCount)
            let place = step < count ? "@\(step)/\(count)" : ""
            let text = printable(await session.name) + place
            guard !unfinished.isEmpty else { return text + "> " }
            return ">> ".paddedLeft(to: displayWidth(text) + 2)
        }
    }

    /// The flow's name and what it shows, on one line.
    func headline() async -> String {
        var parts = [settings.style.bold(printable(await session.name))]
        let room = max(settings.columns(), 40)
        var used = displayWidth(await session.name)
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
