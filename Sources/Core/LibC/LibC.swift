/// The C library of the system, by one name on every platform.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
#endif

/// Types of sockets that programs started later do not inherit. Darwin needs `fcntl` for that.
public enum SocketType {
    #if canImport(Glibc)
        /// A stream of bytes.
        public static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        /// Single messages.
        public static let datagram = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
        /// A stream of bytes.
        public static let stream = SOCK_STREAM | SOCK_CLOEXEC
        /// Single messages.
        public static let datagram = SOCK_DGRAM | SOCK_CLOEXEC
    #else
        /// A stream of bytes.
        public static let stream = SOCK_STREAM
        /// Single messages.
        public static let datagram = SOCK_DGRAM
    #endif
}
