import FlowChecking
import FlowPrinting
import PlainValue
import WorkflowKit
import WorkflowLua

/// A session that a REPL looks at, with what belongs to it.
struct REPLWorld: Sendable {
    let session: any REPLSession
    let feed: SessionFeed
    /// Where the flow's own files are; `nil` for a flow that is in no file.
    let file: String?
    /// Whether workers do nothing by themselves, as in a recording.
    var isReplay = false
    /// Whether the session is another process's.
    var isAttached = false

    /// Loads a flow and renders it.
    static func open(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil, options: FlowOptions,
        settings: REPL.Settings
    ) async throws(FlowError) -> REPLWorld {
        let feed = SessionFeed(onNews: settings.onNews)
        let session = FlowSession(options: options) { feed.add($0) }
        settings.interrupt.watch(session)
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
        } catch {
            await session.close()
            throw error
        }
        return REPLWorld(session: session, feed: feed, file: source.file)
    }

    /// Lets others attach to the session, if there is a path for it.
    func listen(at path: String?) async throws(Refusal) {
        guard let session = session as? FlowSession else { return }
        try await session.listen(ifAskedAt: path)
    }

    /// The fields of actions that the flow's file reads; see ``ActionFields``.
    func readFields() -> [String: [String]] {
        guard let file, let path = resolvedPath(file), case .success(let bytes) = readFile(path)
        else { return [:] }
        return ActionFields(source: String(decoding: bytes, as: UTF8.self)).fields
    }

    /// The events since this was last called; what one input causes is never torn apart.
    func news() async -> [SessionFeed.Item] { await session.take(from: feed) }
}

extension FlowSource {
    /// The file that it is; `nil` for a text.
    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// What is played where no flow was given: nothing, but expressions can be evaluated.
    static let scratch = FlowSource.text(
        "return { name = \"scratch\", render = function() return {} end }", name: "scratch.lua")
}
