public import Logging
import LuaVM
public import SessionPlugin
public import Tracing
public import WorkflowKit
import WorkflowStore

/// The settings of a ``FlowService``.
///
/// ```swift
/// var options = ServiceOptions(flows: [.init(file: file)], store: store)
/// options.limits.rate = 100
/// let service = try await FlowService(options)
/// ```
public struct ServiceOptions: Sendable {
    /// A flow file.
    public struct Flow: Sendable {
        /// The path of the file.
        public var file: String
        /// The settings of its sessions: limits, plugins, grants.
        public var options: FlowOptions
        /// True if it is a file of a folder. It is served unless another flow there requires it.
        public var isFound: Bool

        /// Makes a flow file from its parts.
        ///
        /// ```swift
        /// let todo = ServiceOptions.Flow(
        ///     file: "todo.lua", options: FlowOptions(props: ["user": "ada"]))
        /// ```
        public init(file: String, options: FlowOptions = FlowOptions(), isFound: Bool = false) {
            self.file = file
            self.options = options
            self.isFound = isFound
        }
    }

    /// The files for serving over TLS.
    public struct TLS: Sendable {
        /// The PEM file of the certificates; the first one is that of the service.
        public var certificates: String
        /// The PEM file of the first certificate's key.
        public var key: String

        /// Makes the files from their paths.
        ///
        /// ```swift
        /// let tls = ServiceOptions.TLS(certificates: "chain.pem", key: "key.pem")
        /// ```
        public init(certificates: String, key: String) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// The flows.
    public var flows: [Flow]
    /// The file that stores the sessions, which is created if missing; or the address of a
    /// PostgreSQL database, which begins with `postgres://` or `postgresql://`.
    public var store: String
    /// The place where the workers `session.…` of the flows look for the service. Their plugin has
    /// the same one: `SessionPlugin.plugin(in:)`.
    public var sessionSlot: SessionServiceSlot?
    /// The policies for stored sessions, by flow name; by default `migrate`.
    public var code: [String: CodePolicy] = [:]
    /// The address to listen at; `localhost` is both loopback addresses.
    public var host = "localhost"
    /// The port to listen at; 0 lets the system choose one.
    public var port = 8080
    /// True if nobody hostile writes the flows.
    ///
    /// - Warning: Flows must be isolated or trusted where other computers can reach them: a hostile
    ///   script can keep a thread busy for minutes, and only the end of the program ends that.
    public var trustsFlows = false
    /// The way to authenticate callers.
    public var access = ServiceAccess.madeToken
    /// The certificates and their key; plain HTTP by default.
    public var tls: TLS?
    /// The most sessions of isolated flows with a process at a time.
    public var processes = Self.defaultProcesses
    /// The log.
    public var logger = Logger(label: "workflow", factory: { _ in SwiftLogNoOpLogHandler() })
    /// Traces requests and steps; by default the tracer of the whole program.
    public var tracer: any Tracer = InstrumentationSystem.tracer
    /// Host names of the service besides `127.0.0.1`, `[::1]` and `localhost`.
    public var hosts: [String] = []
    /// The name of ``hosts`` for who reads a refusal.
    package var hostsName = "ServiceOptions.hosts"
    /// The limits for clients.
    public var limits = ServiceLimits()

    /// Twice as many processes as the processor has cores, and at least 4.
    public static var defaultProcesses: Int { max(2 * SessionPool.coreCount, 4) }

    /// True if the scripts of all flows run in processes of their own.
    var isolatesAll: Bool { flows.allSatisfy { $0.options.isolation == .process } }

    /// The limit of isolated script processes; `nil` if no flow is isolated.
    var scriptProcesses: ScriptProcesses? {
        guard flows.contains(where: { $0.options.isolation == .process }) else { return nil }
        return ScriptProcesses(limit: processes, patience: limits.processWait)
    }

    /// Makes options; each of the others has a default.
    ///
    /// ```swift
    /// var options = ServiceOptions(
    ///     flows: [.init(file: "todo.lua")], store: "postgres://flows@db1,db2/flows")
    /// options.code["todo"] = .replay
    /// ```
    public init(flows: [Flow], store: String) {
        self.flows = flows
        self.store = store
    }
}
