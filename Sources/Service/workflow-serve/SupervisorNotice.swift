import FlowProtocol
import LibC
import WorkflowLua

/// A message to the process that supervises this one, such as systemd.
///
/// `NOTIFY_SOCKET` names the datagram socket for it; without the variable there is no supervisor.
/// The messages are those of sd_notify(3).
enum SupervisorNotice: String {
    /// Requests are answered from now on.
    case ready = "READY=1"
    /// The service is ending.
    case stopping = "STOPPING=1"

    /// Sends the message. A supervisor that cannot be reached ends what is not ready in time.
    func send() {
        guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }),
            let address = try? SocketAddress(path: path)
        else { return }
        let socket = SocketAddress.makeDatagramSocket()
        guard socket >= 0 else { return }
        defer { close(socket) }
        _ = address.with { pointer, size in
            rawValue.withCString { sendto(socket, $0, strlen($0), 0, pointer, size) }
        }
    }
}
