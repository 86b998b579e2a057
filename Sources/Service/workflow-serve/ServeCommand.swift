import ArgumentParser
import FlowChecking
import FlowPrinting
import FlowService
import LibC
import Logging
import Terminal
import WorkflowCommand
import WorkflowKit
import WorkflowLua

/// `workflow-run serve`: makes a backend of flows.
struct ServeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Makes a backend of flows: sessions over HTTP, kept in a file.",
        usage: "workflow-run serve <path> ... [options]",
        discussion: """
              workflow-run serve Examples/todo/todo.lua
              workflow-run serve flows --store /var/lib/workflow/sessions.db --port 80
              workflow-run serve flows --store postgres://flows@db.example.com/flows
              workflow-run serve token ada --scope read,act --tokens tokens.txt
              workflow-run serve check new/todo.lua --store /var/lib/workflow/sessions.db
              workflow-run serve backup /var/lib/workflow/sessions.db sessions-copy.db

            Each session is a row in the store, each action a request. Ends at Ctrl-C or SIGTERM, \
            when what is under way is done. Exits with 0, or 64 usage, 65 broken flow, 66 no file, \
            69 the port cannot be had, 74 the store was removed or replaced, 78 a plugin cannot be \
            used.
            """)

    @Argument(
        help: "Flow files, and folders to look for flows in.",
        completion: .file(extensions: ["lua"]))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Keep sessions in this file, or in a database: postgres://…", valueName: "store"),
        completion: .file())
    var store = "sessions.db"

    @Option(help: ArgumentHelp("Listen at this port; 0 is any that is free.", valueName: "port"))
    var port: UInt16 = 8080

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @Option(help: CodeChoice.help) var code: [CodeChoice] = []

    @Option(
        help: ArgumentHelp(
            "With --isolate, processes at a time; twice the cores by default, at least 4.",
            valueName: "n"))
    var processes: Int?

    @Flag(
        help: ArgumentHelp(
            """
            Nobody hostile writes the flows. To serve other computers, give this or --isolate.
            """))
    var trustedFlows = false

    @OptionGroup var access: AccessOptions
    @OptionGroup var bounds: ServiceLimitOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions

    func validate() throws {
        try check(
            !(trustedFlows && limits.isolate),
            "--trusted-flows does not go with --isolate, which trusts none.")
        try check(
            access.isLocal || trustedFlows || limits.isolate,
            """
            It is not said who writes the flows served at \(access.host): \
            give --isolate: scripts run in processes that are ended when they do not answer; \
            or --trusted-flows: nobody hostile writes the flows, for a script can keep a thread \
            of the program busy for minutes.
            """)
        try check(
            processes.map { (1...100_000).contains($0) } ?? true,
            "--processes takes a number from 1 to 100000.")
        try check(
            processes == nil || limits.isolate,
            "--processes bounds those of isolated flows: give --isolate too, or leave it out.")
    }

    func perform() async throws -> ExitStatus {
        let signals = ServiceSignals()
        let service = try await FlowService(options(files: OpenFiles.allowMost()))
        OutputStream.standardError.write(Self.line(for: service))
        SupervisorNotice.ready.send()
        let failure = await Self.end(of: service, signals)
        SupervisorNotice.stopping.send()
        if let failure { color.say(failure) }
        let status = failure == nil ? ExitStatus.success : .io
        if await !service.drain() {
            // What is left cannot be ended, and what was acknowledged is kept.
            _exit(status.rawValue)
        }
        return status
    }

    /// Waits for the end of a service. Returns the error that ended it; `nil` if it was told to
    /// end.
    private static func end(
        of service: FlowService, _ signals: ServiceSignals
    ) async -> FlowError? {
        await withTaskGroup(of: FlowError?.self) { group in
            group.addTask {
                for await signal in signals.all {
                    guard signal == SIGHUP else { break }
                    await service.reload()
                }
                return nil
            }
            group.addTask { await service.failure() }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    private func options(files: Int) throws -> ServiceOptions {
        try check(
            files >= 128,
            "The service may open only \(files) files; raise the limit to 1024 or more (ulimit -n)."
        )
        let flows = try Self.flows(at: paths, limits, plugins, libraries)
        var options = ServiceOptions(flows: flows, store: store)
        options.code = try CodeChoice.policies(code)
        options.port = Int(port)
        if let processes { options.processes = processes }
        options.trustsFlows = trustedFlows
        options.sessionSlot = StandardPlugins.sessions
        access.apply(to: &options)
        options.limits = bounds.limits
        options.logger = log.logger
        let connections = OpenFiles.connections(ofFiles: files)
        if connections < options.limits.connections {
            options.limits.connections = connections
            options.logger.warning(
                "the limit of open files allows fewer connections than --max-connections",
                metadata: ["files": "\(files)", "connections": "\(connections)"])
        }
        return options
    }

    static func flows(
        at paths: [String], _ limits: LimitOptions, _ plugins: PluginOptions,
        _ libraries: LibraryOptions
    ) throws -> [ServiceOptions.Flow] {
        var options = FlowOptions(limits: limits.limits)
        options.libraries = libraries.folders
        try plugins.setWorkers(of: &options)
        return try FlowFiles.find(at: paths).map { file in
            var options = options
            try plugins.setGrants(of: &options, servedFrom: file.path)
            return ServiceOptions.Flow(file: file.path, options: options, isFound: file.isFound)
        }
    }

    private static func line(for service: FlowService) -> String {
        let count = service.flows.count
        let token = service.token.map { "/#token=\($0)" } ?? ""
        return "serving \(count == 1 ? "1 flow" : "\(count) flows") at \(service.address)\(token)\n"
    }
}
