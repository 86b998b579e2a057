import FlowPrinting
import PlainValue
import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

/// Turns the events of a session into messages for a person.
struct SessionNarrator {
    let style: Style
    let errorStyle: Style
    let columns: @Sendable () -> Int

    private(set) var header: FlowHeader?
    private(set) var log = StepLog()
    /// The client number of this process, if it is attached.
    private var client: Int?
    private(set) var rendering: Value?
    private(set) var lastOutput: Value?
    private(set) var lastError: FlowError?
    /// The groups of the events that are being read, the present one last.
    private var groups: [EventGroup] = []
    /// The names of workers without messages.
    var muted: Set<String> = []
    let cutsOutputs: Bool

    init(
        style: Style, errorStyle: Style, cutsOutputs: Bool = true,
        columns: @escaping @Sendable () -> Int
    ) {
        self.style = style
        self.cutsOutputs = cutsOutputs
        self.errorStyle = errorStyle
        self.columns = columns
    }

    mutating func messages(for items: [SessionFeed.Item]) -> [REPLMessage] {
        groups = [EventGroup(before: rendering)]
        for item in items { read(item) }
        // Later events have another cause.
        log.end()
        return EventGroup.folded(groups.filter { !isMuted($0) }).flatMap(messages)
    }

    private func isMuted(_ group: EventGroup) -> Bool {
        guard case .work(let work, _) = group.start, group.errors.isEmpty, group.outputs.isEmpty
        else { return false }
        return muted.contains(work.worker) || muted.contains(work.title)
    }

    /// Records an error that was not an event.
    mutating func record(_ error: FlowError) { lastError = error }

    // MARK: Reading

    private mutating func read(_ item: SessionFeed.Item) {
        assert(!groups.isEmpty)
        let present = groups.count - 1
        switch item.event.kind {
        case .ready(let header):
            self.header = header
            client = item.event.client
            log.start = item.event.milliseconds
        case .action(let action, node: let node, source: let source):
            if source == "client" { begin(.client, item.event, from: source, node) }
            log.record(action: action.actionName)
        case .worker(let phase, let worker, let key, let node):
            let work = EventGroup.Work(worker: worker, key: key, node: node)
            switch phase {
            case .output, .finished, .failed:
                begin(.work(work, phase), item.event, from: worker, node)
            case .cancelled where groups[present].isOutput(of: work):
                // A worker that gave its output and is no longer declared has finished.
                groups[present].phases.append((work, .finished))
            case .started, .cancelled, .abandoned: groups[present].phases.append((work, phase))
            }
        case .props: begin(.other, item.event, from: "props", NodePath([]))
        case .moved, .reloaded: begin(.other, item.event)
        case .rendering(let value, _, _):
            let shown = value.withoutSinks
            log.record(rendering: item.place, changed: rendering?.changedNames(in: shown) ?? [])
            rendering = shown
            groups[present].after = shown
        case .output(let value):
            lastOutput = value
            log.record(output: item.place)
            groups[present].outputs.append(value)
        case .error(let error):
            lastError = error
            log.record(error)
            groups[present].dropped = nil
            groups[present].errors.append(error)
        case .dropped(let node, _, let reason):
            groups[present].dropped =
                "an action for \(printable(node.description)) was dropped: \(reason)"
        case .log(_, let message, let location): groups[present].logs.append((message, location))
        case .refused, .snapshot, .reply, .values, .news, .done: break
        }
    }

    /// Begins a group, and the entry of the log if an input begins.
    private mutating func begin(
        _ start: EventGroup.Start, _ event: FlowEvent, from source: String? = nil,
        _ node: NodePath = NodePath([])
    ) {
        groups.append(EventGroup(start, before: rendering))
        groups[groups.count - 1].other = requestOfOthers(event)
        guard let source else { return log.end() }
        log.begin(.init(milliseconds: event.milliseconds, from: source, node: node))
    }

    /// The request of another client behind an event; `nil` if there is none.
    private func requestOfOthers(_ event: FlowEvent) -> String? {
        guard event.isAskedFor, event.client != client else { return nil }
        let name = event.client.map { "client \($0)" } ?? "the program"
        switch event.kind {
        case .action(let action, node: _, source: _): return "\(name) sent \(action.actionName)"
        case .props: return "\(name) gave new props"
        case .moved(let step, let count, _): return "\(name) went to step \(step) of \(count)"
        case .reloaded: return "\(name) loaded the files again"
        default: return nil
        }
    }

    // MARK: Telling

    private func messages(_ group: EventGroup) -> [REPLMessage] {
        let printer = ChangePrinter(style: style, columns: columns())
        let renderings = RenderingPrinter(style: errorStyle)
        var messages = group.logs.map { REPLMessage.notice(renderings.log($0.0, $0.1)) }
        if let dropped = group.dropped { messages.append(.notice(dropped + "\n")) }
        var lines: [String] = []
        if let before = group.before, let after = group.after {
            lines += printer.lines(from: before, to: after)
        }
        lines += group.phases.map { "  " + style.dim($0.0.line($0.1, columns: columns())) }
        let whole = ChangePrinter(style: style, columns: cutsOutputs ? columns() : 1 << 20)
        lines += group.outputs.map { whole.line("output", $0) }
        if let head = group.head(columns: columns()),
            !lines.isEmpty || !group.errors.isEmpty || group.hasOwnLine
        {
            lines.insert(style.dim(head), at: 0)
        }
        messages += REPLMessage.result(lines)
        let errors = ErrorPrinter(style: errorStyle)
        return messages + group.errors.map { .notice(errors.short($0)) }
    }
}
