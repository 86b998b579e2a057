import Dispatch
import FlowPrinting
import FlowREPL
import Terminal

/// A page of a session of another process.
struct AttachedPage {
    /// The path of the socket that the session listens at.
    let socket: String

    /// Shows the page until Ctrl-C, or until the session has ended.
    func show(port: UInt16, _ options: PageOptions) async throws -> ExitStatus {
        let connection = try SocketConnection(path: socket)
        let inputs = RunInputs(timeout: nil)
        let inspection = try await Inspection(of: socket, port: port, options)
        inspection.announce()
        // What is told is not needed here, only that it ends.
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
