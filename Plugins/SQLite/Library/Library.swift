import SQLitePlugin
import WorkerKit

/// The library's entry point for the host.
@c(workflow_plugin_entry)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
    SQLitePlugin.plugin.export(to: host)
}
