import CWorkflowPlugin
import WorkerKit

/// Reads the table of a plugin and checks everything in it.
struct PluginTable: ~Copyable {
    /// More than any plugin needs, and little enough to read.
    private static let maximumSize = 65_536
    private static let maximumWorkers = 1024
    private static let maximumText = 65_536

    private let file: String
    private let memory: MappedMemory

    init(of file: String) throws(PluginError) {
        self.file = file
        guard let memory = MappedMemory() else {
            throw PluginError(.noLibrary, "there is no file descriptor left to load '\(file)' with")
        }
        self.memory = memory
    }

    /// The plugin that a table describes.
    func read(_ address: UnsafePointer<workflow_plugin>) throws(PluginError) -> Plugin {
        guard let version = memory.load(UInt32.self, at: address) else {
            throw fault("is not in readable memory")
        }
        guard version == WORKFLOW_PLUGIN_ABI else {
            throw PluginError(
                .wrongVersion,
                "the plugin '\(file)' is built for version \(version) of the plugin interface; "
                    + "this host has version \(WORKFLOW_PLUGIN_ABI)",
                help: "build it again for version \(WORKFLOW_PLUGIN_ABI)")
        }
        guard let sizes = memory.bytes(at: address, count: 16) else {
            throw fault("is not in readable memory")
        }
        let size = sizes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
        try check(size: size, least: MemoryLayout<workflow_plugin>.size, "")
        // The whole table must be mapped, including fields of later versions.
        guard memory.bytes(at: address, count: Int(size)) != nil,
            let table = memory.load(workflow_plugin.self, at: address)
        else { throw fault("is shorter than it says") }
        try check(
            size: table.worker_size, least: MemoryLayout<workflow_worker>.size, " for each worker")
        guard table.worker_count <= Self.maximumWorkers else {
            throw fault(
                "lists \(table.worker_count) workers; at most \(Self.maximumWorkers) are possible")
        }
        let name = try text(table.name, "the name of the plugin")
        let version_ = try text(table.version, "the version of the plugin")
        var workers: [WorkerDefinition] = []
        for index in 0..<Int(table.worker_count) {
            workers.append(try worker(index, of: table))
        }
        return Plugin(name, version: version_, definitions: workers)
    }

    private func worker(
        _ index: Int, of table: workflow_plugin
    ) throws(PluginError) -> WorkerDefinition {
        let place = UnsafeRawPointer(table.workers).map { $0 + index * Int(table.worker_size) }
        guard let entry = memory.load(workflow_worker.self, at: place) else {
            throw fault("lists \(table.worker_count) workers; number \(index + 1) is not there")
        }
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
            throw PluginError(.badWorker, "\(what) in '\(file)' is no type: \(error.message)")
        }
    }

    private func text(
        _ address: UnsafePointer<CChar>?, _ what: String
    ) throws(PluginError) -> String {
        guard let text = memory.text(at: address, limit: Self.maximumText) else {
            throw fault("has no text where \(what) should be")
        }
        return text
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
