import WorkflowKit
import WorkflowLua

extension FlowSession {
    var code: FlowCode? {
        guard let flow = player.flow, let main = flow.rootFile else { return nil }
        return FlowCode(
            hash: flow.hash, main: main,
            files: flow.texts.mapValues { String(decoding: $0, as: UTF8.self) })
    }

    /// True if other files made the session's beginning, and the hash of its own files then.
    var beginning: (hasOtherFiles: Bool, hash: String?) {
        (hasOtherFiles, player.header?.hash)
    }

    /// The time at which a closed session is to be opened again; see ``SessionChange/wakeAt``.
    var wakeAt: Int? { isInPast || !hasRunningWorkers ? nil : dormantUntil ?? 0 }

    /// True if nothing is lost or late when the session is closed and opened again at ``wakeAt``.
    var mayBeClosed: Bool { !hasRunningWorkers || dormantUntil != nil }

    /// True if nobody notices that the session is loaded again.
    var mayBeReplaced: Bool { mayBeClosed && !isInPast && log.attachments.isEmpty }
}

extension FlowCode {
    /// These files, completed by modules of the flow that were not required this time.
    func completing(_ code: FlowCode) -> FlowCode {
        let all = files.merging(code.files) { _, new in new }
        guard all.count > code.files.count, main == code.main else { return code }
        return FlowCode(
            hash: LuaFlow.hash(of: all.mapValues { Array($0.utf8) }), main: main, files: all)
    }
}
