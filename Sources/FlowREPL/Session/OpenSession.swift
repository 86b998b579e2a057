import FlowChecking
import LuaSyntax
import PlainValue
import WorkflowKit
import WorkflowLua

/// A session that a REPL looks at, with what belongs to it.
struct OpenSession: Sendable {
    var session: any REPLSession
    let feed: SessionFeed
    /// The path of the flow; `nil` for a flow that is in no file.
    let file: String?
    /// True if workers do nothing by themselves, as in a recording.
    var isReplay = false
    /// True if the session is another process's.
    var isAttached = false

    /// Loads a flow and renders it.
    static func open(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil, options: FlowOptions,
        settings: REPL.Settings
    ) async throws(FlowError) -> OpenSession {
        let feed = SessionFeed(onNews: settings.onNews)
        let session = FlowSession(options: options) { feed.add($0) }
        settings.interrupt.watch(session)
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
        } catch {
            await session.close()
            throw error
        }
        return OpenSession(session: session, feed: feed, file: source.file)
    }

    /// Lets others attach to the session, if there are paths for it.
    func listen(by settings: REPL.Settings) async throws {
        guard let session = session as? FlowSession else { return }
        try await session.listen(ifAskedAt: settings.socket)
        try await session.listen(ifAskedAt: settings.pageSocket, greets: false)
    }

    /// The fields of actions that the flow's file reads; see ``ActionFields``.
    func readFields() -> [String: [String]] {
        guard let file, let path = resolvedPath(file), case .success(let bytes) = readFile(path)
        else { return [:] }
        return ActionFields(source: bytes).fields
    }

    /// The events since this was last called; what one input causes is never torn apart.
    func news() async -> [SessionFeed.Item] { await session.removeEvents(of: feed) }
}

extension FlowSource {
    /// The file that it is; `nil` for a text.
    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The flow that is played where none was given: it shows nothing.
    static let scratch = FlowSource.text(
        "return { name = \"scratch\", render = function() return {} end }", name: "scratch.lua")
}
