import HTTP
import WorkerKit

/// What a host asks the shared library for.
@c(workflow_plugin_entry)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
    HTTPPlugin.plugin.export(to: host)
}
