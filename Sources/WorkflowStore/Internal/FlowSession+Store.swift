import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// The files of the flow.
    var code: FlowCode? {
        guard let flow = player.flow, let main = flow.rootFile else { return nil }
        return FlowCode(
            hash: flow.hash, main: main,
            files: flow.texts.mapValues { String(decoding: $0, as: UTF8.self) })
    }

    /// Whether other files have made what it begins with, and the hash of its own files then.
    var beginning: (hasOtherFiles: Bool, hash: String?) {
        (hasOtherFiles, player.header?.hash)
    }

    /// When the session wants to be in memory again if it is not; see ``SessionChange/wakeAt``.
    var wakeAt: Int? { isInPast || !hasRunningWorkers ? nil : dormantUntil ?? 0 }

    /// Whether nothing is lost or late when the session is closed, and opened again when ``wakeAt`` says.
    var mayBeClosed: Bool { !hasRunningWorkers || dormantUntil != nil }

    /// Whether nobody sees that the session is loaded again.
    var mayBeReplaced: Bool { mayBeClosed && !isInPast && log.attachments.isEmpty }
}

extension FlowCode {
    /// Some files of the flow with the others of these: modules that were not required yet this time.
    func completing(_ code: FlowCode) -> FlowCode {
        let all = files.merging(code.files) { _, new in new }
        guard all.count > code.files.count, main == code.main else { return code }
        return FlowCode(
            hash: LuaFlow.hash(of: all.mapValues { Array($0.utf8) }), main: main, files: all)
    }
}
