/// What went wrong in a flow, where, and what to do about it.
///
/// The one error of the flow layer: everything that a script, its files, its props or its actions can get wrong
/// arrives as a value of this type. Sentences are in ``message``, ``notes`` and ``help``; layout is the printer's.
public struct FlowError: Error, Sendable {
    /// What kind of thing went wrong; the raw value is the code in the JSON protocol.
    public enum Code: String, Sendable, CaseIterable {
        /// A file does not compile.
        case syntax
        /// A definition table has a wrong or missing field.
        case definition
        /// Lua code raised an error.
        case lua
        /// A value that crosses a seam is no plain value.
        case notPlain = "not_plain"
        /// An action that the node's `apply` does not know.
        case unknownAction = "unknown_action"
        /// Something that is no action was sent or returned as one.
        case badAction = "bad_action"
        /// A line of the JSON protocol that is no request.
        case badRequest = "bad_request"
        /// An action for a node that the tree does not have.
        case unknownNode = "unknown_node"
        /// `require` found no such module, or modules that require each other.
        case module
        /// `context:render` was given a name that no native workflow is registered under.
        case unknownWorkflow = "unknown_workflow"
        /// `context:run` was given a worker that is not at hand.
        case unknownWorker = "unknown_worker"
        /// The input of a worker does not fit.
        case badInput = "bad_input"
        /// A worker needs what the user has not granted.
        case notGranted = "not_granted"
        /// A worker failed, and the flow does not handle it.
        case workerFailed = "worker_failed"
        /// A function of the context was called with wrong arguments or at the wrong time.
        case misuse
        /// The props cannot be used.
        case props
        /// A file cannot be read.
        case file
        /// A call ran longer than its time limit.
        case timeLimit = "time_limit"
        /// A call was stopped from outside, by ``FlowInterrupt``.
        case interrupted
        /// The process that ran the scripts has ended; see `LuaVM.Configuration.Isolation`.
        case processEnded = "process_ended"
        /// All processes that scripts may have were at work for too long.
        case noProcess = "no_process"
        /// A call ran more instructions than its limit.
        case instructionLimit = "instruction_limit"
        /// A flow needed more memory than its limit.
        case memoryLimit = "memory_limit"
        /// Nodes or calls are nested deeper than the limit.
        case depth
        /// `print` wrote more than its limit.
        case logLimit = "log_limit"
        /// A source file is longer than the limit.
        case sourceLimit = "source_limit"
        /// A snapshot that cannot be gone on from.
        case snapshot
        /// A recording that cannot be read or written.
        case recording
        /// A connection to a session's socket was refused, dropped or lost.
        case connection
        /// A native workflow or the host failed.
        case host
        /// A test did not find what it expects.
        case expectation
    }

    /// A line of a flow's source.
    public struct Location: Sendable, Hashable {
        /// The file, as messages show it: relative to the flow's folder.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// The path of the file from where the flow was named, such as `Examples/todo/todo.lua`;
        /// `nil` if that is ``file``.
        public var path: String?

        /// A location from its parts.
        public init(file: String, line: Int, path: String? = nil) {
            self.file = file
            self.line = line
            self.path = path
        }
    }

    /// One call of a traceback.
    public struct Frame: Sendable, Hashable {
        /// Where the call stands.
        public var location: Location
        /// The name of the function, if Lua knows it.
        public var function: String?

        /// A call from its parts.
        public init(location: Location, function: String? = nil) {
            self.location = location
            self.function = function
        }
    }

    /// A local variable of the function that failed.
    public struct Local: Sendable, Hashable {
        /// The variable's name.
        public var name: String
        /// Its value in a line at most: tables are written out as deep as they fit, others are told by their size.
        public var value: String

        /// A variable from its parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A few lines of source around a location.
    public struct Excerpt: Sendable, Hashable {
        /// The number of the first line.
        public var firstLine: Int
        /// The lines, without line ends.
        public var lines: [String]

        /// An excerpt from its parts.
        public init(firstLine: Int, lines: [String]) {
            self.firstLine = firstLine
            self.lines = lines
        }
    }

    /// What kind of thing went wrong.
    public var code: Code {
        get { facts.code }
        set { facts.code = newValue }
    }
    /// One sentence without place or position.
    public var message: String {
        get { facts.message }
        set { facts.message = newValue }
    }
    /// Where in the source, if it has a place there.
    public var location: Location? {
        get { facts.location }
        set { facts.location = newValue }
    }
    /// The source around ``location``.
    public var excerpt: Excerpt? {
        get { facts.excerpt }
        set { facts.excerpt = newValue }
    }
    /// What the flow was doing.
    public var phase: FlowPhase? {
        get { facts.phase }
        set { facts.phase = newValue }
    }
    /// The path of the node that was doing it.
    public var node: String? {
        get { facts.node }
        set { facts.node = newValue }
    }
    /// The calls that led there, innermost first.
    public var frames: [Frame] {
        get { facts.frames }
        set { facts.frames = newValue }
    }
    /// The local variables of the function that failed, and what its node was given as `context.props`.
    public var locals: [Local] {
        get { facts.locals }
        set { facts.locals = newValue }
    }
    /// Further facts, a sentence each.
    public var notes: [String] {
        get { facts.notes }
        set { facts.notes = newValue }
    }
    /// The field of a definition that is wrong, by which its line is found.
    var field: String? {
        get { facts.field }
        set { facts.field = newValue }
    }
    /// The next step to take.
    public var help: String? {
        get { facts.help }
        set { facts.help = newValue }
    }

    /// An error without a place; the rest is set as it becomes known.
    public init(_ code: Code, _ message: String, help: String? = nil) {
        storage = .facts(Facts(code: code, message: message, help: help))
    }

    private struct Facts {
        var code: Code
        var message: String
        var location: Location?
        var excerpt: Excerpt?
        var phase: FlowPhase?
        var node: String?
        var frames: [Frame] = []
        var locals: [Local] = []
        var notes: [String] = []
        var help: String?
        var field: String?
    }

    /// One pointer wide, since nearly every function of this layer can throw one, and the frames of a
    /// deep tree must stay small.
    private indirect enum Storage { case facts(Facts) }

    private var storage: Storage
    private var facts: Facts {
        get {
            switch storage {
            case .facts(let facts): facts
            }
        }
        set { storage = .facts(newValue) }
    }
}

/// What a flow was doing when something went wrong.
public enum FlowPhase: Sendable, Hashable, CustomStringConvertible {
    /// A file was loaded.
    case load
    /// The initial state was made.
    case state
    /// New props were taken.
    case changed
    /// The state of an older version was brought up to date.
    case migrate
    /// The flow was asked whether somebody may do something.
    case access
    /// A node rendered.
    case render
    /// An action was applied; its type, if known.
    case apply(String?)
    /// What a child or a worker gave was turned into an action, by `on_output` or another of that kind.
    case answer(String)

    /// The name of the phase, such as `apply.add_item`.
    public var description: String {
        switch self {
        case .load: "load"
        case .state: "state"
        case .changed: "changed"
        case .migrate: "migrate"
        case .access: "access"
        case .render: "render"
        case .apply(let type): type.map { "apply.\($0)" } ?? "apply"
        case .answer(let function): function
        }
    }
}

extension FlowError: CustomStringConvertible {
    /// The first line that a printer shows: place, message, phase and node.
    public var description: String {
        var text = location.map { "\($0): " } ?? ""
        text += message
        if let phase, let node { text += " (in \(phase) of \(node))" }
        return text
    }
}

extension FlowPhase {
    /// The phase that a description is of.
    package init(description: String) {
        self =
            switch description {
            case "load": .load
            case "state": .state
            case "changed": .changed
            case "migrate": .migrate
            case "access": .access
            case "render": .render
            case "apply": .apply(nil)
            case let text where text.hasPrefix("apply."): .apply(String(text.dropFirst(6)))
            default: .answer(description)
            }
    }
}
