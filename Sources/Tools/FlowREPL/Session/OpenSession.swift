import FlowPrinting
import FlowProtocol
import LuaSyntax
package import WorkflowKit
import WorkflowLua

/// The session of a REPL, and what belongs to it.
struct OpenSession: Sendable {
    var session: any REPLSession
    let feed: SessionFeed
    /// The path of the flow; `nil` if it has no file.
    let file: String?
    /// True if workers do not run, as in a recording.
    var isReplay = false
    /// True if the session belongs to another process.
    var isAttached = false

    static func open(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil, flowOptions: FlowOptions,
        options: REPL.Options
    ) async throws(FlowError) -> OpenSession {
        let feed = SessionFeed(onNews: options.onNews)
        let session = FlowSession(options: flowOptions) { feed.add($0) }
        options.interrupt.watch(session)
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
        } catch {
            await session.close()
            throw error
        }
        return OpenSession(session: session, feed: feed, file: source.file)
    }

    func listen(by options: REPL.Options) async throws {
        guard let session = session as? FlowSession else { return }
        try await session.listen(ifAskedAt: options.socket)
        try await session.listen(ifAskedAt: options.pageSocket, greets: false)
    }

    /// The fields that the flow's file reads from actions; see ``ActionFields``.
    func readFields() -> [String: [String]] {
        guard let file, let path = resolvedPath(file), case .success(let bytes) = readFile(path)
        else { return [:] }
        return ActionFields(source: bytes).fields
    }

    /// Takes the new events. The events of one input stay together.
    func news() async -> [SessionFeed.Item] { await session.removeEvents(of: feed) }
}

extension FlowSource {
    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The flow of a REPL without a file. It renders nothing.
    static let scratch = FlowSource.text(
        "return { name = \"scratch\", render = function() return {} end }", name: "scratch.lua")
}

extension FlowSession {
    /// Listens at a path, if there is one; throws a ``Refusal``.
    package func listen(ifAskedAt path: String?, greets: Bool = true) throws {
        guard let path else { return }
        do throws(FlowError) {
            try listen(at: path, greets: greets)
        } catch {
            throw Refusal(error, .io)
        }
    }
}
