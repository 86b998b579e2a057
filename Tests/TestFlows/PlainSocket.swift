import FlowProtocol
import LibC
import TestSupport

/// A socket of this system that is closed when it is released.
package final class PlainSocket: Sendable {
    /// Its descriptor.
    package let number: Int32

    /// Connects to a session, to which nothing is sent and from which nothing is read.
    package init(connectingTo path: String) throws {
        number = SocketAddress.makeSocket()
        let status = try SocketAddress(path: path).with { connect(number, $0, $1) }
        guard status == 0 else {
            throw Missing(what: "\(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Makes a socket at a path, as a session does.
    package init(at path: String) throws {
        number = SocketAddress.makeSocket()
        let status = try SocketAddress(path: path).with { bind(number, $0, $1) }
        guard status == 0 else {
            throw Missing(what: "\(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(number) }
}
