import CWorkflowPlugin

/// The functions of the host that loaded this plugin. None of the required ones is missing.
struct HostFunctions: Sendable {
    let emit: @convention(c) (workflow_run, UnsafeRawPointer?, Int) -> Int32
    let finish: @convention(c) (workflow_run) -> Int32
    let fail:
        @convention(c) (
            workflow_run, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32
    let log: @convention(c) (workflow_run, Int32, UnsafePointer<CChar>?, Int) -> Int32
    let granted:
        @convention(c) (
            workflow_run, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafeMutablePointer<CChar>?, Int
        ) -> Int32
    let now: @convention(c) (workflow_run) -> Int64
    let wake: @convention(c) (workflow_run, Int64, UInt64) -> Int32
    // Added later; `nil` in older hosts.
    let identity: (@convention(c) (workflow_run, UnsafeMutableRawPointer?, Int) -> Int64)?
    let forget: (@convention(c) (workflow_run, UInt64) -> Int32)?

    /// The size in bytes of the table of the first hosts.
    private static let firstSize =
        MemoryLayout<workflow_host>.offset(of: \.identity) ?? MemoryLayout<workflow_host>.size

    /// The functions of a host's table; `nil` if the table has another version or lacks a function.
    init?(_ pointer: UnsafeRawPointer?) {
        // Sound: every version has the first fields, and the size tells which others there are.
        guard let table = pointer?.assumingMemoryBound(to: workflow_host.self),
            table.pointee.abi == WORKFLOW_PLUGIN_ABI,
            Int(table.pointee.size) >= Self.firstSize,
            let emit = table.pointee.emit, let finish = table.pointee.finish,
            let fail = table.pointee.fail, let log = table.pointee.log,
            let granted = table.pointee.granted, let now = table.pointee.now,
            let wake = table.pointee.wake
        else { return nil }
        self.emit = emit
        self.finish = finish
        self.fail = fail
        self.log = log
        self.granted = granted
        self.now = now
        self.wake = wake
        let size = Int(table.pointee.size)
        let sizeWithIdentity = MemoryLayout<workflow_host>.offset(of: \.forget) ?? .max
        identity = size >= sizeWithIdentity ? table.pointee.identity : nil
        forget = size >= MemoryLayout<workflow_host>.size ? table.pointee.forget : nil
    }
}
