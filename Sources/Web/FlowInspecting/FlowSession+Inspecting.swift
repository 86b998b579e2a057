import FlowProtocol
public import InspectorServer
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Shows the session in a browser on this computer.
    ///
    /// ```swift
    /// let page = try await session.inspect(at: 8123)
    /// print(page.address)
    /// ```
    ///
    /// The page is served at `127.0.0.1` and `::1` until it is closed.
    ///
    /// - Important: All who have its URL may do what `scopes` allow: everything, by default.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose one.
    ///   - scopes: The rights of clients that have the URL; `view` is always granted.
    ///   - hosts: Further host names of the page.
    /// - Throws: A `FlowError` with the code `connection` if the port cannot be used, and with the
    ///   code `misuse` if the session is closed.
    public func inspect(
        at port: Int = 0, scopes: [InspectorScope] = InspectorScope.allCases, hosts: [String] = []
    ) async throws(FlowError) -> FlowInspection {
        let place = try PrivateSocket()
        let socket = try listen(at: place.path, greets: false)
        var options = InspectorOptions(socket: place.path)
        options.port = port
        options.hosts = hosts
        options.hostsName = "FlowSession.inspect(hosts:)"
        options.scopes = InspectorScope.allCases.filter { $0 == .view || scopes.contains($0) }
        do throws(InspectorFailure) {
            let server = try await InspectorServer(options)
            let inspection = FlowInspection(server: server, socket: socket, place: place)
            attach(inspection)
            return inspection
        } catch {
            await socket.close()
            throw FlowError(.connection, error.message, help: error.help)
        }
    }
}
