import Dispatch
import FlowProtocol
import FlowREPL
import PlainValue
import Synchronization
import Terminal
import WorkflowKit

/// The terminal of a run: shows events, numbered sinks and the running workers.
final class RunTerminal: Sendable {
    private struct State {
        var narrator: RunNarrator
        var workers = RunningWorkers()
        /// True while the workers' line is being updated.
        var isTicking = false
        /// True while a line is requested, whose numbers must be right.
        var isAsking = false
        /// The sinks with the current numbers.
        var sinks: [TypedAction.NumberedSink] = []
    }

    /// More numbers do not help.
    private static let mostChoices = 20
    /// The time between two frames of the workers' line, in seconds.
    private static let interval = 0.1

    private let style: Style
    private let isQuiet: Bool
    private let screen: LineEditor
    /// The keyboard; `nil` if lines come from elsewhere.
    private let keyboard: Keyboard?
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "workers at work")

    init(style: Style, isQuiet: Bool, keyboard: Keyboard?) {
        self.style = style
        self.isQuiet = isQuiet
        self.keyboard = keyboard
        screen = keyboard?.editor ?? LineEditor()
        state = Mutex(State(narrator: RunNarrator(style: style, columns: { LineEditor.columns })))
    }

    // MARK: Showing

    /// Shows text above everything else on the screen.
    func show(_ text: String) { screen.show(text) }

    func show(_ event: FlowEvent) {
        let (text, ticks) = state.withLock { state in
            var text = state.narrator.text(for: event)
            if case .rendering(let rendering, _, _) = event.kind {
                if isQuiet {
                    text = ""
                } else if state.isAsking {
                    text += choices(rendering, &state)
                }
            }
            state.workers.update(with: event)
            let ticks = !isQuiet && !state.isTicking && !state.workers.isEmpty
            if ticks { state.isTicking = true }
            return (text, ticks)
        }
        if !text.isEmpty { show(text) }
        if ticks, LineEditor.canEdit { tick() }
    }

    /// Redraws the workers' line periodically until no worker runs.
    private func tick() {
        queue.asyncAfter(deadline: .now() + Self.interval) {
            let line = self.state.withLock { state in
                let line = state.workers.line(columns: LineEditor.columns)
                state.isTicking = !line.isEmpty
                return line
            }
            self.screen.showStatus(line.isEmpty ? "" : self.style.dim(line))
            if !line.isEmpty { self.tick() }
        }
    }

    // MARK: Asking

    /// Shows the sinks before a line is requested.
    func ask(for session: FlowSession) async {
        guard let keyboard else { return }
        state.withLock { $0.isAsking = true }
        let rendering = await session.rendering
        let actions = await session.actionTypes
        let text = state.withLock { choices(rendering, &$0) }
        keyboard.complete(by: Completer.ofRun(actions: actions, rendering: rendering).complete)
        show(text)
    }

    /// Numbers the sinks of a rendering.
    private func choices(_ rendering: Value, _ state: inout State) -> String {
        state.sinks = sinksInOrder(rendering)
        var lines: [(text: String, width: Int)] = []
        for (index, sink) in state.sinks.prefix(Self.mostChoices).enumerated() {
            let (number, path) = (String(index + 1), printable(sink.path))
            let width = displayWidth(number + path) + 1
            let text = "\(style.bold(number)) \(path)"
            if let last = lines.last, last.width + 3 + width <= LineEditor.columns {
                lines[lines.count - 1] = (last.text + "   " + text, last.width + 3 + width)
            } else {
                lines.append(("  " + text, width + 2))
            }
        }
        if state.sinks.count > Self.mostChoices {
            lines.append((style.dim("  … \(state.sinks.count - Self.mostChoices) more"), 0))
        }
        return lines.isEmpty ? "" : "\n" + lines.map { $0.text + "\n" }.joined()
    }

    /// The numbered sinks for the typed line; `nil` without a keyboard.
    func endAsking() -> [TypedAction.NumberedSink]? {
        guard keyboard != nil else { return nil }
        return state.withLock { state in
            state.isAsking = false
            return state.sinks
        }
    }

    /// Restores the terminal.
    func leave() {
        state.withLock { $0.workers = RunningWorkers() }
        screen.showStatus("")
        keyboard?.stop(erasing: true)
    }
}
