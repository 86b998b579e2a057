import WorkflowKit
import WorkflowLua

extension FlowSession {
    var code: FlowCode? {
        guard let flow = past.flow, let main = flow.rootFile else { return nil }
        return FlowCode(
            hash: flow.hash, main: main,
            files: flow.texts.mapValues { String(decoding: $0, as: UTF8.self) })
    }

    /// The session's beginning: true if other files made it, and the hash of its own then.
    var beginning: (hasOtherFiles: Bool, hash: String?) {
        (past.hasOtherFiles, past.header?.hash)
    }

    /// The time at which a closed session must be opened again; see ``SessionChange/wakeAt``.
    var wakeAt: Int? { isInPast || !hasRunningWorkers ? nil : dormantUntil ?? 0 }

    /// True if closing the session and opening it again at ``wakeAt`` loses and delays nothing.
    var mayBeClosed: Bool { !hasRunningWorkers || dormantUntil != nil }

    /// True if loading the session again is invisible from outside.
    var mayBeReplaced: Bool { mayBeClosed && !isInPast && !isAttended }
}

extension FlowCode {
    /// The files, completed by modules of the flow that were not required this time.
    func completing(_ code: FlowCode) -> FlowCode {
        let all = files.merging(code.files) { _, new in new }
        guard all.count > code.files.count, main == code.main else { return code }
        return FlowCode(
            hash: LuaFlow.hash(of: all.mapValues { Array($0.utf8) }), main: main, files: all)
    }
}
