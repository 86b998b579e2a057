package import LibC
package import WorkflowLua

/// The address of a Unix socket: the path of its file.
package struct SocketAddress {
    package static let longestPath =
        MemoryLayout<sockaddr_un>.size - (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) - 1

    private var address = sockaddr_un()

    /// - Throws: A `FlowError` if the path is too long for a socket.
    package init(path: String) throws(FlowError) {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.longestPath else {
            throw FlowError(.longSocketPath, bytes.count, Self.longestPath)
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { throw FlowError(.badSocketPath) }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    package func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Makes a stream socket that children do not inherit; negative on failure, with `errno` set.
    package static func makeSocket() -> Int32 { makeSocket(SocketType.stream) }

    /// Makes a datagram socket that child processes do not inherit. On failure it is negative.
    package static func makeDatagramSocket() -> Int32 { makeSocket(SocketType.datagram) }

    private static func makeSocket(_ type: Int32) -> Int32 {
        let socket = socket(AF_UNIX, type, 0)
        #if canImport(Darwin)
            guard socket >= 0 else { return socket }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            quieten(socket)
        #endif
        return socket
    }

    /// Sends bytes without raising a signal. The reason of a failure is in `errno`.
    package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
        #if canImport(Darwin)
            return LibC.send(socket, bytes.baseAddress, bytes.count, 0)
        #else
            return LibC.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    #if canImport(Darwin)
        /// Makes sends fail instead of raising a signal.
        static func quieten(_ socket: Int32) {
            var isOn: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
    #endif
}
