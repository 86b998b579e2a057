import CWorkflowPlugin
import LibC

extension Plugin {
    /// Gives this plugin to a host that loads it from a shared library.
    ///
    /// This is the whole of a library's entry:
    ///
    /// ```swift
    /// @c(workflow_plugin_entry)
    /// public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
    ///     greeter.export(to: host)
    /// }
    /// ```
    ///
    /// - Important: Call it once for a library: the result stays in memory until the process ends.
    /// - Returns: The plugin's table, or `nil` if the host is of another version.
    public func export(to host: UnsafeRawPointer?) -> UnsafeRawPointer? {
        guard let host = HostFunctions(host) else { return nil }
        let entries = UnsafeMutablePointer<workflow_worker>.allocate(
            capacity: max(workers.count, 1))
        for (index, worker) in workers.enumerated() {
            let exported = ExportedWorker(worker, host: host)
            (entries + index).initialize(to: exported.makeEntry())
        }
        let table = UnsafeMutablePointer<workflow_plugin>.allocate(capacity: 1)
        table.initialize(
            to: workflow_plugin(
                abi: UInt32(WORKFLOW_PLUGIN_ABI),
                size: UInt32(MemoryLayout<workflow_plugin>.size),
                worker_size: UInt32(MemoryLayout<workflow_worker>.stride),
                worker_count: UInt32(workers.count), name: strdup(name), version: strdup(version),
                workers: UnsafePointer(entries)))
        return UnsafeRawPointer(table)
    }
}

extension ExportedWorker {
    /// This worker as an entry of the plugin's table, which keeps it alive for good.
    fileprivate func makeEntry() -> workflow_worker {
        let needs = definition.needs.map(\.description).joined(separator: ", ")
        return workflow_worker(
            name: strdup(definition.name), summary: strdup(definition.summary),
            input: strdup("\(definition.input)"), output: strdup("\(definition.output)"),
            needs: strdup(needs), context: Unmanaged.passRetained(self).toOpaque(),
            start: { context, run, input, count in
                ExportedWorker.at(context)?.start(
                    run, input: UnsafeRawBufferPointer(start: input, count: count))
            },
            cancel: { context, run in ExportedWorker.at(context)?.run(run)?.stop() },
            room: { context, run in ExportedWorker.at(context)?.run(run)?.roomCame() },
            woken: { context, run, token in ExportedWorker.at(context)?.run(run)?.wake(token) })
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> ExportedWorker? {
        context.map { Unmanaged<ExportedWorker>.fromOpaque($0).takeUnretainedValue() }
    }
}
