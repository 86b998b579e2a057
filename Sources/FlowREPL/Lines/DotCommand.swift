import PlainValue
import WorkflowLua

/// The REPL's own commands, which begin with a dot.
enum DotCommand: String, CaseIterable {
    case help, actions, tree, state, rendering, timeline, undo, redo, goto, diff, branch, workers
    case trace, locals, reload, save, snapshot, load, test, clear, exit

    /// The arguments, as the help shows them.
    var arguments: String {
        switch self {
        case .help: "[command]"
        case .state: "[path]"
        case .goto: "n"
        case .diff: "[n [m]]"
        case .save, .snapshot, .load: "FILE"
        case .test: "NAME"
        case .reload: "[replay]"
        default: ""
        }
    }

    var summary: String {
        switch self {
        case .help: "all commands, or more about one"
        case .actions: "what can be sent: the root's actions, and the sinks in the rendering"
        case .tree: "the nodes of the flow, with their states"
        case .state: "the state of the root, or of the node at a path"
        case .rendering: "the whole rendering"
        case .timeline: "what has come in so far"
        case .undo: "one step back"
        case .redo: "one step forward again"
        case .goto: "another step of the timeline; 0 is the beginning"
        case .diff: "what a step changed, or what differs between two steps"
        case .branch: "goes on from an earlier step, and gives up the later ones"
        case .workers: "the workers that the nodes declare"
        case .trace: "the calls that led to the last error"
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

    /// More about it, for `.help command`.
    var details: String? {
        switch self {
        case .undo, .redo, .goto:
            "While an earlier step is shown, workers are held. An action that is sent then goes on from there, and "
                + "gives up the later steps; .goto to the last step lets the workers go on."
        case .diff:
            "Without a number, what the step that is shown changed; with one, what that step changed; with two, what "
                + "is different in the rendering after m from that after n."
        case .save: "The file can be played by .load, and by workflow-run replay."
        case .load:
            "A file that begins with a JSON object is a recording: its inputs are played, and its workers stay silent. "
                + "Any other file is a flow."
        case .test:
            "The file NAME_test.lua is made in the flow's folder. It passes as it is written; workflow-run test runs it."
        case .reload:
            "After .reload replay the session is as if the new code had been there from the start; inputs that it refuses "
                + "change nothing."
        case .state: "A path is one that .tree shows, such as todo/item:3."
        default: nil
        }
    }

    /// The command that a word means, which may be the beginning of its name.
    init(_ word: String) throws(FlowError) {
        if let exact = Self(rawValue: word) {
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
            throw FlowError(
                .badAction, "'.\(word)' could be \(names.joined(separator: " or "))")
        }
        let near = nearestName(to: word, among: Self.allCases.map(\.rawValue))
        throw FlowError(
            .badAction,
            "there is no command '.\(word)'" + (near.map { ". Did you mean '.\($0)'?" } ?? ""),
            help: ".help lists all commands")
    }
}
