import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// Turns the events of a session into what a person is told of them.
struct Transcript {
    let style: Style
    let errorStyle: Style
    let columns: @Sendable () -> Int

    /// What the session began with.
    private(set) var header: FlowHeader?
    private(set) var log = StepLog()
    /// The last rendering, without its sinks.
    private(set) var rendering: Value?
    private(set) var lastOutput: Value?
    private(set) var lastError: FlowError?

    init(style: Style, errorStyle: Style, columns: @escaping @Sendable () -> Int) {
        self.style = style
        self.errorStyle = errorStyle
        self.columns = columns
    }

    /// What there is to say of some events.
    mutating func pieces(for items: [SessionFeed.Item]) -> [REPLPiece] {
        var chapters = [Chapter(before: rendering)]
        for item in items { read(item, &chapters) }
        // What comes later is caused by something else.
        log.end()
        return Chapter.folded(chapters).flatMap(pieces)
    }

    /// Notes an error that is no event.
    mutating func note(_ error: FlowError) { lastError = error }

    // MARK: Reading

    private mutating func read(_ item: SessionFeed.Item, _ chapters: inout [Chapter]) {
        let time = item.event.milliseconds
        func begin(_ start: Chapter.Start) {
            chapters.append(Chapter(start, before: rendering))
        }
        func change(_ body: (inout Chapter) -> Void) { body(&chapters[chapters.count - 1]) }
        switch item.event.kind {
        case .ready(let header):
            self.header = header
            log.start = time
        case .action(let action, node: let node, source: let source):
            let type = action["type"]?.string ?? action.string ?? "?"
            if source == "client" {
                begin(.client)
                log.begin(.init(milliseconds: time, from: source, node: node))
            }
            log.note(action: type)
        case .worker(let phase, let worker, let key, let node):
            let work = Chapter.Work(worker: worker, key: key, node: node)
            switch phase {
            case .output, .finished, .failed:
                begin(.work(work, phase))
                log.begin(.init(milliseconds: time, from: worker, node: node))
            case .started, .cancelled, .abandoned: change { $0.phases.append((work, phase)) }
            }
        case .props:
            begin(.other)
            log.begin(.init(milliseconds: time, from: "props", node: ""))
        case .moved, .reloaded:
            begin(.other)
            log.end()
        case .rendering(let value, _, _):
            let shown = value.withoutSinks
            log.note(rendering: item.place, changed: rendering?.changedNames(in: shown) ?? [])
            rendering = shown
            change { $0.after = shown }
        case .output(let value):
            lastOutput = value
            log.note(output: item.place)
            change { $0.outputs.append(value) }
        case .error(let error):
            lastError = error
            log.note(error)
            change { chapter in
                chapter.dropped = nil
                chapter.errors.append(error)
            }
        case .dropped(let node, _, let reason):
            change { $0.dropped = "an action for \(printable(node)) was dropped: \(reason)" }
        case .log(_, let message, let location): change { $0.logs.append((message, location)) }
        case .snapshot, .reply, .done: break
        }
    }

    // MARK: Telling

    private func pieces(_ chapter: Chapter) -> [REPLPiece] {
        let printer = ChangePrinter(style: style, columns: columns())
        let renderings = RenderingPrinter(style: errorStyle, isForTerminal: false)
        var pieces = chapter.logs.map { REPLPiece.message(renderings.log($0.0, $0.1)) }
        if let dropped = chapter.dropped { pieces.append(.message(dropped + "\n")) }
        var lines: [String] = []
        if let before = chapter.before, let after = chapter.after {
            lines += printer.lines(from: before, to: after)
        }
        lines += chapter.phases.map { "  " + style.dim($0.0.line($0.1, columns: columns())) }
        lines += chapter.outputs.map { printer.line("output", $0) }
        if let head = chapter.head(columns: columns()),
            !lines.isEmpty || !chapter.errors.isEmpty || chapter.tellsItself
        {
            lines.insert(style.dim(head), at: 0)
        }
        pieces += REPLPiece.result(lines)
        let errors = ErrorPrinter(style: errorStyle)
        return pieces + chapter.errors.map { .message(errors.text($0)) }
    }
}
