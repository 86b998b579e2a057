public import Workflow

/// An error in a flow, with its location and advice.
///
/// ```swift
/// do {
///     _ = try LuaFlow(source: "return { state = 1, rendr = 2 }", name: "broken.lua")
/// } catch {
///     print(error.code, error.message, error.help ?? "")
/// }
/// ```
///
/// All errors in a script, its files, its props or its actions have this type. ``message``,
/// ``notes`` and ``help`` are sentences; a printer does the layout.
public struct FlowError: Error, Sendable {
    /// The kind of error. The raw value is the code in the JSON protocol.
    public enum Code: String, Sendable, CaseIterable {
        /// A file does not compile.
        case syntax
        /// A definition table has a wrong or missing field.
        case definition
        /// Lua code raised an error.
        case lua
        /// A value that crosses between Lua and the host is not a plain value.
        case notPlain = "not_plain"
        /// The node's `apply` does not know the action.
        case unknownAction = "unknown_action"
        /// A value that is not an action was sent or returned as one.
        case badAction = "bad_action"
        /// A line of the JSON protocol is not a request.
        case badRequest = "bad_request"
        /// The tree has no node for the action.
        case unknownNode = "unknown_node"
        /// `require` found no such module, or modules require each other.
        case module
        /// No native workflow is registered under the name given to `context:render`.
        case unknownWorkflow = "unknown_workflow"
        /// The worker given to `context:run` is not available.
        case unknownWorker = "unknown_worker"
        /// The input of a worker is invalid.
        case badInput = "bad_input"
        /// A worker needs a grant that the user has not given.
        case notGranted = "not_granted"
        /// A worker failed, and the flow does not handle it.
        case workerFailed = "worker_failed"
        /// A function of the context or a session was called with wrong arguments or at the wrong
        /// time, as after the end of the session.
        case misuse
        /// The props cannot be used.
        case props
        /// A file cannot be read.
        case file
        /// A call ran longer than its time limit.
        case timeLimit = "time_limit"
        /// A call was interrupted from outside, by ``FlowInterrupt``.
        case interrupted
        /// The process that ran the scripts has ended; see `LuaVM.Options.Isolation`.
        case processEnded = "process_ended"
        /// All script processes were busy for too long.
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
        /// A snapshot cannot be restored.
        case snapshot
        /// A recording cannot be read or written.
        case recording
        /// A connection to a session's socket was refused, dropped or lost.
        case connection
        /// A native workflow or the host failed.
        case host
        /// An expectation of a test failed.
        case expectation
    }

    /// A line of a flow's source.
    public struct Location: Sendable, Hashable {
        /// The file, as messages show it: relative to the flow's folder.
        public var file: String
        /// The line, from 1.
        public var line: Int
        /// The path of the file, relative to where the flow was named, such as
        /// `Examples/todo/todo.lua`; `nil` if it equals ``file``.
        public var path: String?

        /// Makes a location from its parts.
        ///
        /// ```swift
        /// let place = FlowError.Location(file: "todo.lua", line: 12, path: "flows/todo.lua")
        /// print(place)  // flows/todo.lua:12
        /// ```
        public init(file: String, line: Int, path: String? = nil) {
            self.file = file
            self.line = line
            self.path = path
        }
    }

    /// One call of a traceback.
    public struct Frame: Sendable, Hashable {
        /// The location of the call.
        public var location: Location
        /// The name of the function, if Lua knows it.
        public var function: String?

        /// Makes a call from its parts.
        public init(location: Location, function: String? = nil) {
            self.location = location
            self.function = function
        }
    }

    /// A local variable of the function that failed.
    public struct Local: Sendable, Hashable {
        /// The variable's name.
        public var name: String
        /// Its value in at most one line, with tables as deep as they fit, or else their size.
        public var value: String

        /// Makes a variable from its parts.
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

        /// Makes an excerpt from its parts.
        public init(firstLine: Int, lines: [String]) {
            self.firstLine = firstLine
            self.lines = lines
        }
    }

    /// The kind of error.
    public var code: Code {
        get { facts.reason.code }
        set { facts.reason = facts.reason.with(newValue) }
    }
    /// One sentence without place or position.
    ///
    /// - Important: It is for people and may change. Programs compare the ``code``.
    public var message: String {
        get { facts.reason.sentence.filled(with: facts.values) }
        set { (facts.reason, facts.values) = (Reason(code, newValue), []) }
    }
    /// The location in the source, if there is one.
    public var location: Location? {
        get { facts.location }
        set { facts.location = newValue }
    }
    /// The source around ``location``.
    public var excerpt: Excerpt? {
        get { facts.excerpt }
        set { facts.excerpt = newValue }
    }
    /// The phase in which the error happened.
    public var phase: FlowPhase? {
        get { facts.phase }
        set { facts.phase = newValue }
    }
    /// The path of the node in which it happened.
    public var node: NodePath? {
        get { facts.node }
        set { facts.node = newValue }
    }
    /// The call stack, innermost first.
    public var frames: [Frame] {
        get { facts.frames }
        set { facts.frames = newValue }
    }
    /// The local variables of the function that failed, and its node's props as `context.props`.
    public var locals: [Local] {
        get { facts.locals }
        set { facts.locals = newValue }
    }
    /// Further facts, a sentence each.
    public var notes: [String] {
        get { facts.notes }
        set { facts.notes = newValue }
    }
    /// The error that this one was made of, such as a `StoreError` of the store of a service; `nil`
    /// for most.
    public package(set) var cause: (any Error)? {
        get { facts.cause }
        set { facts.cause = newValue }
    }
    /// The field of a definition or the path in a value that is wrong, by which its line is found.
    var field: String? {
        get { facts.field }
        set { facts.field = newValue }
    }
    /// Advice on what to do next.
    public var help: String? {
        get { hint?.words() }
        set { hint = newValue.map(Hint.init(words:)) }
    }
    package var hint: Hint? {
        get { facts.hint }
        set { facts.hint = newValue }
    }
    package var reason: Reason { facts.reason }
    /// The values in the sentence, in the order of its places.
    package var values: [String] { facts.values }

    /// Makes an error without a location. The other properties are set as they become known.
    ///
    /// ```swift
    /// var error = FlowError(.props, "guests is -1", help: "invite somebody")
    /// error.location = FlowError.Location(file: "party.lua", line: 3)
    /// print(error)  // party.lua:3: guests is -1
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: One sentence, without place or full stop.
    ///   - help: Advice on what to do next; `nil` for none.
    public init(_ code: Code, _ message: String, help: String? = nil) {
        self.init(Reason(code, message))
        self.help = help
    }

    package init(_ reason: Reason, _ values: any CustomStringConvertible...) {
        self.init(reason, values: values.map(\.description))
    }

    package init(_ reason: Reason, values: [String]) {
        var facts = Facts(reason: reason, values: values, hint: reason.hint)
        if let text = reason.hint?.text { facts.hint?.text = text.filled(with: values) }
        storage = .facts(facts)
    }

    private struct Facts {
        var reason: Reason
        var values: [String]
        var hint: Hint?
        var location: Location?
        var excerpt: Excerpt?
        var phase: FlowPhase?
        var node: NodePath?
        var frames: [Frame] = []
        var locals: [Local] = []
        var notes: [String] = []
        var cause: (any Error)?
        var field: String?
    }

    /// One pointer wide: nearly every function of this layer can throw an error, and the stack
    /// frames of a deep tree must stay small.
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

/// The phase of a flow in which an error happened.
public enum FlowPhase: Sendable, Hashable, CustomStringConvertible {
    /// Loading a file.
    case load
    /// Making the initial state.
    case state
    /// Adapting the state to new props.
    case changed
    /// Migrating the state of an older version.
    case migrate
    /// Asking the flow whether a principal may do something.
    case access
    /// Rendering a node.
    case render
    /// Applying an action, with its type if known.
    case apply(String?)
    /// Mapping the output of a child or a worker to an action, with `on_output` or the like.
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
    package init(description: String) {
        let named = [Self.load, .state, .changed, .migrate, .access, .render, .apply(nil)]
        if let phase = named.first(where: { $0.description == description }) {
            self = phase
        } else if description.hasPrefix("apply.") {
            self = .apply(String(description.dropFirst(6)))
        } else {
            self = .answer(description)
        }
    }
}

extension FlowError.Code {
    /// True if the call was cut short for a reason outside the flow, so that a replay may succeed.
    package var isCut: Bool { [.timeLimit, .interrupted, .processEnded].contains(self) }
}
