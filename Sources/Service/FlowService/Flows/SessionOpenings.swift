import Logging
import LuaVM
import Synchronization
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// Chooses the files with which stored sessions are opened.
final class SessionOpenings: Sendable {
    /// The most remembered sessions that keep their own files.
    private static let mostKnown = 100_000
    /// The most stored file sets in memory. One is needed whenever a session is opened.
    private static let mostCode = 32

    private let flows: FlowTable
    private let store: any SessionStore
    private let watch: CallWatch
    private let logger: Logger
    /// The sessions that differ with other files, by number: the hash of those files.
    private let held = Mutex<[Int: String]>([:])
    private let kept = Mutex<[String: FlowCode]>([:])

    init(_ flows: FlowTable, _ store: any SessionStore, _ watch: CallWatch, _ logger: Logger) {
        self.flows = flows
        self.store = store
        self.watch = watch
        self.logger = logger
    }

    /// - Throws: A `FlowError` if its flow is not served, or a `StoreError`.
    func opening(of summary: SessionSummary) async throws -> SessionPool.Opening {
        guard let flow = flows[summary.flow] else { throw FlowError(.notServed, summary.flow) }
        guard flow.code != .migrate, let hash = summary.code, let code = try await code(hash)
        else { return flow.opening }
        let present = flow.texts(of: code)
        if present == code.files { return flow.opening }
        if flow.code == .replay, try await isSame(summary, flow, present) { return flow.opening }
        var opening = flow.opening
        opening.source = code.source(completedBy: flow.files?.modules ?? FlowModules([:]))
        opening.options.flowName = summary.flow
        return opening
    }

    private func code(_ hash: String) async throws(StoreError) -> FlowCode? {
        if let known = kept.withLock({ $0[hash] }) { return known }
        let code = try await store.code(hash)
        kept.withLock { kept in
            if kept.count >= Self.mostCode { kept = [:] }
            kept[hash] = code
        }
        return code
    }

    /// True if a session gives the same results with the current files.
    private func isSame(
        _ summary: SessionSummary, _ flow: ServedFlow, _ files: [String: String]
    ) async throws -> Bool {
        var bytes: [UInt8] = []
        for (file, text) in files.sorted(by: { $0.key < $1.key }) {
            bytes += Array(file.utf8) + [0xff] + Array(text.utf8) + [0xff]
        }
        let hash = TextSum.digits(of: bytes)
        if held.withLock({ $0[summary.number] == hash }) { return false }
        var opening = flow.opening
        opening.options.watch = watch.watching(.init(summary.id))
        let fit = try await store.fit(
            of: summary.id, to: opening.source, options: opening.options)
        if case .same = fit { return true }
        // This is no statement about the files.
        if case .refused(let error) = fit, error.code == .noProcess { throw error }
        held.withLock { held in
            if held.count >= Self.mostKnown { held = [:] }
            held[summary.number] = hash
        }
        logger.notice(
            "a session goes on with the files that it has",
            metadata: [
                "session": "\(summary.id)", "flow": "\(flow.name)", "reason": "\(fit.reason)",
            ])
        return false
    }
}

extension SessionFit {
    /// The reason why a session keeps its files.
    fileprivate var reason: String {
        switch self {
        case .same: "none"
        case .differs(let differences): "step \(differences.first?.step ?? 0) differs"
        case .refused(let error): error.message
        case .unknown: "its own files cannot be played"
        }
    }
}

extension ServedFlow {
    /// Its current files; `nil` if they cannot be read.
    fileprivate var files: (root: FlowModules.Module, modules: FlowModules)? {
        try? LuaFlow.files(
            at: file, upTo: options.limits.sourceLimit, libraries: options.libraries)
    }

    fileprivate func texts(of code: FlowCode) -> [String: String] {
        guard let files else { return [:] }
        var texts: [String: String] = [:]
        for file in code.files.keys {
            if file == code.main {
                texts[file] = files.root.text
            } else if case .found(let module) = files.modules.find(FlowModules.name(of: file)) {
                texts[file] = module.text
            }
        }
        return texts
    }
}
