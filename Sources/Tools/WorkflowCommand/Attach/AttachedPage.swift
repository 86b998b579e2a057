import Dispatch
import FlowPrinting
import FlowREPL
import Terminal

/// The inspector page for a session of another process.
struct AttachedPage {
    /// The path of the session's socket.
    let socket: String

    /// Shows the page until Ctrl-C or the end of the session.
    func show(port: UInt16, _ options: PageOptions) async throws -> ExitStatus {
        let connection = try SocketConnection(path: socket)
        let inputs = RunInputs(timeout: nil)
        let inspection = try await Inspection(of: socket, port: port, options)
        inspection.announce()
        // Only the end of the events matters here.
        connection.send(#"{"do":"follow"}"#.utf8)
        DispatchQueue(label: "socket").async {
            connection.readLines { _ in true }
            inputs.post(.end)
        }
        let end = await inputs.untilEnd()
        if end == .finished { OutputStream.standardError.write("The session has ended.\n") }
        connection.end()
        await inspection.close()
        return end.status
    }
}
