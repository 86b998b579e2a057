public import Logging
import LuaVM
public import Tracing
public import WorkflowKit
import WorkflowStore

/// The settings of a ``FlowService``.
public struct ServiceSettings: Sendable {
    /// A flow file that is served.
    public struct Flow: Sendable {
        /// The path of the file.
        public var file: String
        /// The settings of its sessions: limits, plugins, grants.
        public var options: FlowOptions
        /// Whether the file was found in a folder: it is served then unless another flow of the folder requires it.
        public var isFound: Bool

        /// A flow file from its parts.
        public init(file: String, options: FlowOptions = FlowOptions(), isFound: Bool = false) {
            self.file = file
            self.options = options
            self.isFound = isFound
        }
    }

    /// The flows.
    public var flows: [Flow]
    /// The file in which sessions are kept; it is made if there is none.
    public var store: String
    /// The files that sessions of before go on with, by the names of their flows; `migrate` for those that are not named.
    public var code: [String: CodePolicy] = [:]
    /// The address to listen at; `localhost` is both addresses by which this computer reaches itself.
    public var host = "localhost"
    /// The port to listen at; 0 lets the system choose one.
    public var port = 8080
    /// The way in which it learns who asks.
    public var access = ServiceAccess.madeToken
    /// The files with the certificates, in PEM, and with their key; plain HTTP unless given.
    public var tls: (certificates: String, key: String)?
    /// How many sessions have a process for their scripts at a time, where flows are isolated; by default
    /// ``defaultProcesses``.
    public var processes = Self.defaultProcesses
    /// Where it says what it does.
    public var logger = Logger(label: "workflow", factory: { _ in SwiftLogNoOpLogHandler() })
    /// Whom it tells what it does, request by request and step by step; by default the tracer of the whole program.
    public var tracer: any Tracer = InstrumentationSystem.tracer
    /// Names by which the service may be reached beside `127.0.0.1`, `[::1]` and `localhost`.
    public var hosts: [String] = []
    /// The most that is done and kept for clients.
    public var limits = ServiceLimits()

    /// Twice as many processes as the processor has cores, and at least 4.
    public static var defaultProcesses: Int { max(2 * SessionPool.coreCount, 4) }

    /// What bounds the processes of isolated scripts; `nil` if no flow has any.
    var scriptProcesses: ScriptProcesses? {
        guard flows.contains(where: { $0.options.isolation == .process }) else { return nil }
        return ScriptProcesses(limit: processes, patience: limits.processWait)
    }

    /// Settings with the defaults above for all else.
    public init(flows: [Flow], store: String) {
        self.flows = flows
        self.store = store
    }
}
