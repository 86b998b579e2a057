import FlowPrinting
import FlowREPL
import FlowProtocol
import PlainValue
import Terminal
import WorkflowLua

/// A served inspector page of a session.
final class Inspection: Sendable {
    /// The path of the socket where the page finds the session.
    let socket: String
    /// The address of the page, with its token.
    private let address: String
    /// The number of the server in the library.
    private let number: Int
    private let library: InspectorLibrary
    private let opensBrowser: Bool
    /// The socket's folder, if the socket serves only the page.
    private let place: PrivateSocket?

    /// Serves a page for a session of this process, which must listen at ``socket``.
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
        var serverOptions: Value.Record = [
            "socket": .string(socket), "port": .int(Int(port)),
            "hosts": .list(of: options.allowHost.map { .string($0) }),
            "hosts_name": "--allow-host",
        ]
        if let scopes = options.inspectScope {
            serverOptions["scopes"] = .list(of: scopes.names.map { .string($0) })
        }
        if let folder = options.inspectorFiles { serverOptions["folder"] = .string(folder) }
        library = try InspectorLibrary.load()
        let text = await library.start(Value.record(serverOptions).json)
        let answer = (try? Value(json: text)) ?? .null
        guard let number = answer["number"]?.int, let address = answer["address"]?.string else {
            throw Refusal(
                FlowError(
                    .connection, answer["message"]?.string ?? "the page cannot be served",
                    help: answer["help"]?.string), .unavailable)
        }
        (self.number, self.address) = (number, address)
    }

    func announce() {
        OutputStream.standardError.write("inspect at \(address)\n")
        if opensBrowser, OutputStream.standardError.isTerminal { openInBrowser(address) }
    }

    /// Stops serving. Close the session first, so that browsers are informed.
    func close() async {
        await library.stop(number)
        place?.remove()
    }
}
