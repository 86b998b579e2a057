import LibC
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Kills the programs of a host that ended without doing so itself.
///
/// A shell keeps a list of the running programs, and kills them when the host's end of its pipe
/// closes, which happens however the host ends. It starts with the first program.
final class GroupKeeper: Sendable {
    static let shared = GroupKeeper()

    private static let script = """
        while read -r what group; do
            case $what in
            +) groups="$groups $group" ;;
            -) rest=
               for other in $groups; do
                   [ "$other" = "$group" ] || rest="$rest $other"
               done
               groups=$rest ;;
            esac
        done
        for group in $groups; do kill -s KILL -- "-$group"; done
        """

    /// The host's end of the pipe; -1 if there is none.
    private let line: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, SocketType.stream, 0, &ends) == 0 else {
            line = -1
            return
        }
        #if canImport(Darwin)
            var isSilent: Int32 = 1
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            setsockopt(
                ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
        #endif
        line = ends[0]
        let end = FileDescriptor(rawValue: ends[1])
        Task.detached {
            var options = PlatformOptions()
            // So that it survives signals from the terminal to the host.
            options.createSession = true
            _ = try? await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", Self.script], environment: .custom([:]),
                workingDirectory: "/", platformOptions: options,
                input: .fileDescriptor(end, closeAfterSpawningProcess: true), output: .discarded,
                error: .discarded)
        }
    }

    deinit { close(line) }

    /// Kills the group when the host ends.
    func register(_ group: ProcessGroup) { write("+ \(group.leader)\n") }

    /// No longer kills the group.
    func unregister(_ group: ProcessGroup) { write("- \(group.leader)\n") }

    private func write(_ text: String) {
        // A shell that was killed must not end the host, and a stopped one must not block it.
        #if canImport(Darwin)
            let flags = MSG_DONTWAIT
        #else
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        #endif
        _ = text.withCString { send(line, $0, strlen($0), flags) }
    }
}
