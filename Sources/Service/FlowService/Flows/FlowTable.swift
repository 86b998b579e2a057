import CoreMetrics
import WorkflowKit
import WorkflowLua

/// The flows of a service by name.
struct FlowTable: Sendable {
    let all: [ServedFlow]
    private let byName: [String: ServedFlow]

    subscript(name: String) -> ServedFlow? { byName[name] }

    /// - Parameters:
    ///   - metrics: Counts the sessions' inputs.
    ///   - processes: The shared limit of isolated script processes.
    /// - Throws: A `FlowError` with a location if a flow does not load or two have the same name.
    init(
        _ flows: [ServiceOptions.Flow], code policies: [String: CodePolicy] = [:],
        counting metrics: ServiceMetrics = ServiceMetrics(),
        sharing processes: ScriptProcesses? = nil
    ) throws(FlowError) {
        var loaded: [(flow: ServedFlow, isFound: Bool, parts: Set<String>)] = []
        for var flow in flows {
            flow.options.processes = processes
            let (served, parts) = try Self.load(flow, policies, metrics)
            loaded.append((served, flow.isFound, parts))
        }
        let parts = loaded.reduce(into: Set()) { $0.formUnion($1.parts) }
        var table: [String: ServedFlow] = [:]
        for (flow, isFound, _) in loaded {
            // A file that another flow requires is not a flow of its own.
            if isFound, let path = resolvedPath(flow.file), parts.contains(path) { continue }
            if let other = table[flow.name] {
                throw FlowError(.twoFlows, flow.name, other.file, flow.file)
            }
            table[flow.name] = flow
        }
        for name in policies.keys.sorted() where table[name] == nil {
            throw FlowError(.noFlowToChoose, name, table.keys.sorted().joined(separator: ", "))
        }
        byName = table
        all = table.values.sorted { $0.name < $1.name }
    }

    /// Loads a flow. Also returns the absolute paths of the modules that it requires.
    private static func load(
        _ flow: ServiceOptions.Flow, _ policies: [String: CodePolicy], _ metrics: ServiceMetrics
    ) throws(FlowError) -> (ServedFlow, Set<String>) {
        var luaOptions = LuaFlow.Options(limits: flow.options.limits)
        luaOptions.rootName = flow.options.flowName
        luaOptions.libraries = flow.options.libraries
        do throws(FlowError) {
            let loaded = try LuaFlow(file: flow.file, options: luaOptions)
            let folder = resolvedPath(flow.file).map(\.folderOfPath) ?? ""
            let parts = loaded.files.filter { $0 != flow.file.nameOfPath }
            var options = flow.options
            let inputs = metrics.inputs(of: loaded.name)
            options.onInput = { _, _ in inputs.increment() }
            let served = ServedFlow(
                name: loaded.name, file: flow.file, hash: loaded.hash,
                code: policies[loaded.name] ?? .migrate, options: options)
            return (served, Set(parts.compactMap { resolvedPath("\(folder)/\($0)") }))
        } catch {
            throw error.inFolder(of: flow.file)
        }
    }
}

extension FlowError {
    /// The error with locations relative to the current folder.
    fileprivate func inFolder(of file: String) -> FlowError {
        let folder = file.folderOfPath
        guard !folder.isEmpty, file.contains("/") else { return self }
        var error = self
        func path(_ name: String) -> String {
            name.hasPrefix(folder) ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        }
        error.location = location.map { .init(file: path($0.file), line: $0.line) }
        error.frames = frames.map { frame in
            var frame = frame
            frame.location.file = path(frame.location.file)
            return frame
        }
        return error
    }
}
