import CWorkflowPlugin
import LibC
import WorkerKit

/// Reads the table of a plugin and checks everything in it but its addresses: a library that has a
/// wrong one can end the process by itself, too.
struct PluginTable {
    /// More than any plugin needs.
    private static let maximumSize = 65_536
    private static let maximumWorkers = 1024
    private static let maximumText = 65_536

    private let file: String

    init(of file: String) { self.file = file }

    func read(_ address: UnsafePointer<workflow_plugin>) throws(PluginError) -> Plugin {
        let start = UnsafeRawPointer(address)
        // Another version may have less than this one, but begins alike.
        let version = start.load(as: UInt32.self)
        guard version == WORKFLOW_PLUGIN_ABI else {
            throw PluginError(
                .wrongVersion,
                "the plugin '\(file)' is built for version \(version) of the plugin interface; "
                    + "this host has version \(WORKFLOW_PLUGIN_ABI)",
                help: "build it again for version \(WORKFLOW_PLUGIN_ABI)")
        }
        try check(
            size: start.load(fromByteOffset: 4, as: UInt32.self),
            least: MemoryLayout<workflow_plugin>.size, "")
        let table = address.pointee
        try check(
            size: table.worker_size, least: MemoryLayout<workflow_worker>.size, " for each worker")
        guard table.worker_count <= Self.maximumWorkers else {
            throw fault(
                "lists \(table.worker_count) workers; at most \(Self.maximumWorkers) are possible")
        }
        let name = try text(table.name, "the name of the plugin")
        let pluginVersion = try text(table.version, "the version of the plugin")
        var workers: [WorkerDefinition] = []
        for index in 0..<Int(table.worker_count) {
            workers.append(try worker(index, of: table))
        }
        return Plugin(name, version: pluginVersion, definitions: workers)
    }

    private func worker(
        _ index: Int, of table: workflow_plugin
    ) throws(PluginError) -> WorkerDefinition {
        guard let workers = UnsafeRawPointer(table.workers) else {
            throw fault("lists \(table.worker_count) workers, but has none")
        }
        let entry = (workers + index * Int(table.worker_size)).loadUnaligned(
            as: workflow_worker.self)
        let name = try text(entry.name, "the name of worker \(index + 1)")
        guard let functions = LoadedWorker(name: name, entry) else {
            throw fault("has no function to start or to cancel '\(name)'")
        }
        let needs = entry.needs == nil ? "" : try text(entry.needs, "the needs of '\(name)'")
        return WorkerDefinition(
            name: name, summary: try text(entry.summary, "the summary of '\(name)'"),
            input: try schema(entry.input, "the input of '\(name)'"),
            output: try schema(entry.output, "the output of '\(name)'"),
            needs: needs.split(separator: ",").map { need in
                WorkerNeed(String(need.drop { $0 == " " }))
            },
            body: { input, context, outputs in
                try await outputs.withWindow { window in
                    try await LoadedRun(of: functions, context: context, window: window)
                        .play(input)
                }
            })
    }

    private func schema(
        _ address: UnsafePointer<CChar>?, _ what: String
    ) throws(PluginError) -> ValueSchema {
        let text = try text(address, what)
        do throws(WorkerError) {
            return try ValueSchema(parsing: text)
        } catch {
            throw PluginError(.badWorker, "\(what) in '\(file)' is not a type: \(error.message)")
        }
    }

    private func text(
        _ address: UnsafePointer<CChar>?, _ what: String
    ) throws(PluginError) -> String {
        if let address {
            let bytes = UnsafeRawBufferPointer(
                start: address, count: strnlen(address, Self.maximumText + 1))
            let text = String(validating: bytes, as: UTF8.self)
            if bytes.count <= Self.maximumText, let text { return text }
        }
        throw fault("has no text where \(what) should be")
    }

    private func check(size: UInt32, least: Int, _ what: String) throws(PluginError) {
        guard size >= least, size <= Self.maximumSize else {
            throw fault(
                "says that it has \(size) bytes\(what); version \(WORKFLOW_PLUGIN_ABI) has \(least)"
            )
        }
    }

    private func fault(_ what: String) -> PluginError {
        PluginError(.badTable, "the table of the plugin '\(file)' \(what)")
    }
}
