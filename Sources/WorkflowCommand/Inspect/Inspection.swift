import FlowPrinting
import FlowREPL
import FlowServing
import PlainValue
import Terminal
import WorkflowLua

/// A page that shows a session, while it is served.
final class Inspection: Sendable {
    /// The path of the socket at which the page finds the session.
    let socket: String
    private let server: PageServer
    private let opensBrowser: Bool
    /// The place of the socket, if it is there for the page alone.
    private let place: PrivateSocket?

    /// Serves a page for a session of this process, which is to listen at ``socket``.
    convenience init(port: UInt16, _ options: PageOptions) async throws {
        let place: PrivateSocket
        do throws(FlowError) { place = try PrivateSocket() } catch { throw Refusal(error, .io) }
        try await self.init(place.path, place, port: port, options)
    }

    /// Serves a page for a session of another process.
    convenience init(of socket: String, port: UInt16, _ options: PageOptions) async throws {
        try await self.init(socket, nil, port: port, options)
    }

    private init(
        _ socket: String, _ place: PrivateSocket?, port: UInt16, _ options: PageOptions
    ) async throws {
        self.socket = socket
        self.place = place
        opensBrowser = options.open
        var settings: Value.Record = [
            "socket": .string(socket), "port": .int(Int(port)),
            "hosts": .list(of: options.allowHost.map { .string($0) }),
        ]
        if let scopes = options.inspectScope {
            settings["scopes"] = .list(of: scopes.names.map { .string($0) })
        }
        if let folder = options.inspectorFiles { settings["folder"] = .string(folder) }
        server = try await PageServer(settings, in: InspectorLibrary.load())
    }

    /// Says where the page is, on standard error: it is there from now on.
    func announce() {
        OutputStream.standardError.write("inspect at \(server.address)\n")
        if opensBrowser, OutputStream.standardError.isTerminal { Browser.open(server.address) }
    }

    /// Serves it no longer; the session is to be closed before, so that browsers are told.
    func close() async {
        await server.close()
        place?.remove()
    }
}
