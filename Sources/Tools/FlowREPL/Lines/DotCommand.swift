import PlainValue
import Terminal
import WorkflowLua

/// The REPL's own commands, which start with a dot.
enum DotCommand: String, CaseIterable {
    case help, actions, tree, state, rendering, timeline, step, undo, redo, goto, diff, branch
    case why, log, workers, retry, mute, trace, locals, reload, save, snapshot, load, test, clear,
        exit

    /// The commands that a run also takes.
    static let ofRuns: [DotCommand] = [
        .help, .actions, .tree, .state, .rendering, .undo, .redo, .goto, .workers, .exit,
    ]

    /// The commands that only read, which a debugger's console takes.
    static let ofDebuggers: [DotCommand] = [
        .help, .actions, .tree, .state, .rendering, .timeline, .diff, .why, .log, .workers,
    ]

    var arguments: String {
        switch self {
        case .help: "[name]"
        case .state: "[node]"
        case .rendering: "[path]"
        case .undo: "[n or mine]"
        case .redo: "[n]"
        case .goto, .step: "n"
        case .mute, .retry: "[worker]"
        case .diff: "[n [m]]"
        case .why: "[not] [path]"
        case .log: "[file:line: text]"
        case .save, .snapshot, .load: "FILE"
        case .test: "NAME"
        case .reload: "[replay]"
        default: ""
        }
    }

    var summary: String {
        switch self {
        case .help: "all commands, or more about one, or about a name of the Lua API"
        case .actions: "what can be sent: the root's actions, and the sinks in the rendering"
        case .tree: "the nodes of the flow, with their states"
        case .state: "the state of the root, or of a node"
        case .rendering: "the whole rendering, or what stands at a path in it"
        case .timeline: "what has come in so far"
        case .step: "all about a step: what came in, and what came of it"
        case .undo: "a step back, or n, or to before your last action"
        case .redo: "a step forward again, or n"
        case .goto: "another step of the timeline; 0 is the beginning"
        case .diff: "what a step changed, or what differs between two steps"
        case .branch: "goes on from an earlier step, and gives up the later ones"
        case .why: "where a value comes from, or why it is not there"
        case .log: "what was so at a line each time that it was run, and from now on"
        case .workers: "the workers that the nodes declare"
        case .retry: "gives outputs again that the flow refused, of all workers or of one"
        case .mute: "tells no more, or again, what a worker does"
        case .trace: "where the last error was in the source, and the calls that led there"
        case .locals: "the local variables where the last error was raised"
        case .reload: "loads the flow's files again, and keeps the state or replays the inputs"
        case .save: "writes a recording of this session"
        case .snapshot: "writes the state, for --restore to go on from"
        case .load: "opens a flow, or plays a recording"
        case .test: "writes a test that plays this session"
        case .clear: "clears the screen"
        case .exit: "leaves; so does Ctrl-D"
        }
    }

    /// The second paragraph of `.help command`.
    var details: String? {
        switch self {
        case .undo, .redo, .goto:
            ".undo mine goes to before the last action, past all that workers brought since. "
                + "While an earlier step is shown, workers are held. "
                + "An action that is sent then goes on from there, and gives up the later steps; "
                + ".goto to the last step lets the workers go on."
        case .diff:
            "Without a number, what the step that is shown changed; with one, "
                + "what that step changed; with two, what is different in the rendering after m "
                + "from that after n."
        case .save: "The file can be played by .load, and by workflow-run replay."
        case .load:
            "A file that begins with a JSON object is a recording: its inputs are played, "
                + "and its workers stay silent. Any other file is a flow."
        case .test:
            "The file NAME_test.lua is made in the flow's folder. It passes as it is written; "
                + "workflow-run test runs it."
        case .reload:
            "After .reload replay the session is as if the new code had been there from the "
                + "start; inputs that it refuses change nothing."
        case .state:
            "A node is named as .tree shows it, such as item:3, or by its path, todo/item:3."
        case .why:
            "A path is written as in Lua, such as rows[1].done. Steps are played again aside, "
                + "with what had changed put back: what is named as a cause made the value what "
                + "it is. Without a path, the whole rendering. "
                + "A node is named as .tree shows it; it says why it was rendered. "
                + "state.items[2] of todo, props.item of item:3 and action.id of todo ask for "
                + "other values than those of the rendering; without a node, "
                + "for those of the root. At the end, at 3 asks for an earlier step, "
                + "and through 4 goes on through what the lines that wrote it read, "
                + "four writes back. .why not rows[1].rename says which condition keeps it out, "
                + "and the shortest way to it that is found."
        case .log:
            ".log todo.lua:31: {item.id} {item.done} where item.id == 2 tells it of all steps "
                + "that were, and of each that comes. What stands between braces, "
                + "and after where, is Lua. Without anything, the lines that are logged; "
                + ".log off 1 ends the first."
        case .rendering: "A path is written as in Lua, such as rows[1].text."
        case .retry:
            "An output whose action fails is kept as long as its worker is declared, "
                + "and .workers shows why it was refused. A reload gives it again by itself. "
                + "After one that is refused again, the later ones of its worker wait."
        case .mute:
            "A worker is named as .workers shows it, such as clock.every. "
                + "What it does goes on to happen, and is in .timeline. Without a name, "
                + "the muted workers."
        default: nil
        }
    }

    static func parse(_ text: String) throws(FlowError) -> (DotCommand, argument: String) {
        let words = text.dropFirst().split(separator: " ", maxSplits: 1)
        let command = try DotCommand(words.first.map(String.init) ?? "")
        let argument = words.count > 1 ? words[1].trimmed : ""
        guard argument.isEmpty || !command.arguments.isEmpty else {
            throw FlowError(.superfluous, command.rawValue)
        }
        return (command, argument)
    }

    /// Finds a command by its name or the beginning of its name.
    init(_ word: String) throws(FlowError) {
        // Other programs call it quit.
        if let exact = word == "quit" ? .exit : Self(rawValue: word) {
            self = exact
            return
        }
        let matches = word.isEmpty ? [] : Self.allCases.filter { $0.rawValue.hasPrefix(word) }
        if matches.count == 1 {
            self = matches[0]
            return
        }
        let names = matches.map { ".\($0.rawValue)" }
        guard names.isEmpty else {
            throw FlowError(.ambiguousCommand, word, names.joined(separator: " or "))
        }
        let near = nearestName(to: word, among: Self.allCases.map(\.rawValue))
        throw FlowError(.unknownCommand, word, near.map { ". Did you mean '.\($0)'?" } ?? "")
    }
}
