package import ArgumentParser
import FlowPrinting
import FlowREPL
import WorkerKit
package import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The options for the available workers and their grants.
package struct PluginOptions: ParsableArguments {
    @OptionGroup package var libraries: PluginLibraryOptions

    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp(
            "Let workers reach this, or what the file @file lists; may be repeated.",
            valueName: "grant"))
    var grants: [String] = []

    @Option(
        help: ArgumentHelp("Log each access of a worker to this file.", valueName: "file"),
        completion: .file())
    var audit: String?

    package init() {}

    /// Sets the workers of a session and their grants. Paths in grants are relative to the current
    /// folder, and paths in inputs to the flow's. The user's permanent grants for this flow are
    /// added.
    ///
    /// - Parameters:
    ///   - flow: The path of the flow; nil or `-` if it has none.
    ///   - question: Asks for missing grants, if a user can answer.
    func apply(
        to options: inout FlowOptions, flow: String?, question: ((FlowGrants) -> [Grant])? = nil
    ) throws {
        try setWorkers(of: &options)
        try setGrants(of: &options, flow: flow, question: question)
    }

    /// Sets the workers of sessions, and the log of their accesses.
    package func setWorkers(of options: inout FlowOptions) throws {
        let registry = try libraries.makeRegistry()
        options.plugins = registry
        if let audit {
            let audit = try AccessAudit(path: audit)
            options.onAccess = { [now = options.now] access in audit.record(access, at: now()) }
        }
    }

    /// Sets the grants of a session when no user can answer questions.
    package func setGrants(of options: inout FlowOptions, servedFrom flow: String) throws {
        try setGrants(of: &options, flow: flow)
    }

    /// Sets the grants of a session; see ``apply(to:flow:question:)``.
    func setGrants(
        of options: inout FlowOptions, flow: String?, question: ((FlowGrants) -> [Grant])? = nil
    ) throws {
        let given = try GrantList(grants, registry: options.plugins).grants
        options.grantAdvice = nil
        defer { options.grants.option = "--allow" }
        guard let flow, flow != "-", let file = resolvedPath(flow) else {
            options.grants = Grants(given)
            return
        }
        let remembered = RememberedGrants(flow: flow)?.grants ?? []
        options.grants = Grants(given + remembered, folder: file.folderOfPath)
        var needs = FlowGrants(flow: flow, options: options)
        if let question {
            options.grants = options.grants.adding(question(needs))
            needs = FlowGrants(flow: flow, options: options)
        }
        options.grantAdvice = { [needs] in needs.advice(refused: $0) }
    }
}

extension Refusal {
    init(plugin error: PluginError, help: String = "give the path of a plugin's library") {
        let isMissing = error.code == .noFile
        self.init(
            FlowError(isMissing ? .file : .unknownWorker, error.message, help: error.help ?? help),
            isMissing ? .noInput : .configuration)
    }
}
