import CWorkflowPlugin
import WorkerKit

enum HostTable {
    /// Safe to share because it is written only here and never freed.
    nonisolated(unsafe) static let pointer: UnsafePointer<workflow_host> = {
        let table = UnsafeMutablePointer<workflow_host>.allocate(capacity: 1)
        table.initialize(to: makeTable())
        return UnsafePointer(table)
    }()

    private static func makeTable() -> workflow_host {
        workflow_host(
            abi: UInt32(WORKFLOW_PLUGIN_ABI), size: UInt32(MemoryLayout<workflow_host>.size),
            emit: { id, bytes, count in
                HostTable.answer(id) { run in
                    guard count >= 0, bytes != nil || count == 0 else {
                        return run.refuse("it gave no bytes")
                    }
                    return run.emit(UnsafeRawBufferPointer(start: bytes, count: count))
                }
            },
            wait: { id in HostTable.answer(id) { $0.waitForRoom() } },
            finish: { id in HostTable.answer(id) { $0.end(nil) } },
            fail: { id, code, message, help in
                HostTable.answer(id) { run in
                    run.end(
                        WorkerError(
                            code.map { String(cString: $0) } ?? "failed",
                            message.map { String(cString: $0) } ?? "the worker failed",
                            help: help.map { String(cString: $0) }))
                }
            },
            log: { id, level, text, count in
                HostTable.answer(id) { run in
                    let bytes = UnsafeRawBufferPointer(
                        start: text, count: text == nil ? 0 : max(count, 0))
                    return run.log(
                        WorkerLogger.Level(rawValue: Int(level)) ?? .info,
                        String(decoding: bytes, as: UTF8.self))
                }
            },
            granted: { id, kind, target, resolved, capacity in
                HostTable.answer(id) { run in
                    let access = Access(
                        kind.map { String(cString: $0) } ?? "", target.map { String(cString: $0) })
                    return run.check(
                        access,
                        resolved: UnsafeMutableBufferPointer(
                            start: resolved, count: max(capacity, 0)))
                }
            },
            now: { id in LoadedRuns[id]?.now ?? -1 },
            sleep: { id, nanoseconds in HostTable.answer(id) { $0.sleep(nanoseconds) } },
            wake: { id, nanoseconds, token in
                HostTable.answer(id) { $0.wake(after: nanoseconds, token: token) }
            },
            identity: { id, value, capacity in
                LoadedRuns[id]?.writeIdentity(
                    to: UnsafeMutableRawBufferPointer(
                        start: value, count: value == nil ? 0 : max(capacity, 0))) ?? -1
            },
            forget: { id, token in HostTable.answer(id) { $0.forget(token) } })
    }

    private static func answer(_ id: workflow_run, _ body: (LoadedRun) -> HostStatus) -> Int32 {
        (LoadedRuns[id].map(body) ?? .stopped).rawValue
    }
}

/// The answer of the host to a call of a library.
enum HostStatus: Int32 {
    case taken = 0
    case full = 1
    case stopped = 2
    case refused = 3

    init(_ answer: OutputWindow.Admission) {
        switch answer {
        case .taken: self = .taken
        case .full: self = .full
        case .closed: self = .stopped
        }
    }
}
