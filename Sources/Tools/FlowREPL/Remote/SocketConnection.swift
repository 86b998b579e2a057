import FlowProtocol
import LibC
import Synchronization
import Terminal
package import WorkflowLua

/// A connection to a session's socket.
package final class SocketConnection: Sendable {
    package let path: String
    private let socket: Int32
    /// Held while a line is sent, so that lines of several threads do not mix.
    private let sending = Mutex(())

    /// - Throws: A `FlowError` with the reason, such as a missing file.
    package init(path: String) throws(FlowError) {
        self.path = path
        let address = try SocketAddress(path: path)
        let file = SocketAddress.makeSocket()
        guard file >= 0, address.with({ connect(file, $0, $1) }) == 0 else {
            let failure = errno
            if file >= 0 { close(file) }
            throw Self.error(path, failure)
        }
        socket = file
    }

    deinit { close(socket) }

    private static func error(_ path: String, _ failure: Int32) -> FlowError {
        var status = stat()
        switch failure {
        case ENOENT, ENOTDIR:
            return FlowError(.missingSocket, path)
        case ECONNREFUSED where stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK,
            ENOTSOCK:
            return FlowError(.notASocket, path)
        case ECONNREFUSED:
            return FlowError(.deadSocket, path)
        default:
            return FlowError(
                failure == EACCES ? .forbidden : .unreachable, path, SystemFailure(number: failure))
        }
    }

    /// Sends a line. Returns false on failure.
    @discardableResult
    package func send(_ line: some Sequence<UInt8>) -> Bool {
        let bytes = Array(line) + [UInt8(ascii: "\n")]
        return sending.withLock { _ in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { bytes in
                    SocketAddress.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]), to: socket)
                }
                if count < 0, errno != EINTR { return false }
                sent += max(count, 0)
            }
            return true
        }
    }

    package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Closes both directions, which also ends a read.
    package func end() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Reads lines on this thread, without their line feeds, until the connection ends or `take`
    /// returns false.
    package func readLines(_ take: ([UInt8]) -> Bool) {
        var reader = LineReader(file: socket)
        while let line = reader.next(takingRest: false), take(line) {}
    }
}
