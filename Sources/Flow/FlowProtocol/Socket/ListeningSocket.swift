import LibC
import WorkflowLua

/// A listening Unix socket whose file only its user may connect to.
///
/// The socket is made under another name. The file at the path listens and has its mode from the
/// start: no other user can connect, and one whose socket refuses is of an ended process.
struct ListeningSocket: Sendable {
    let socket: Int32
    let path: String
    private let identity: FileStamp?

    /// - Throws: A `FlowError` if a live socket or a file is at the path, or none can be made.
    init(path: String) throws(FlowError) {
        _ = try SocketAddress(path: path)
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
        guard !name.isEmpty, let resolved = resolvedPath(folder.isEmpty ? "." : folder) else {
            throw FlowError(.noSocketFolder, path, folder)
        }
        let made = try Self.listen(folder, like: name)
        // From the temporary name, which nobody takes away; see `removeStale`.
        identity = FileStamp(made.path, followsLinks: false)
        do throws(FlowError) {
            try Self.publish(made.path, as: path)
        } catch {
            close(made.socket)
            unlink(made.path)
            throw error
        }
        unlink(made.path)
        socket = made.socket
        self.path = resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
    }

    /// Accepts a waiting client and gets its user; `nil` if there is none.
    ///
    /// - Throws: A `SystemFailure` if a client waits but cannot be accepted.
    func accept() throws(SystemFailure) -> (socket: Int32, user: uid_t)? {
        let client = systemAccept(socket)
        guard client >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED: return nil
            default: throw SystemFailure(number: errno)
            }
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            SocketAddress.quieten(client)
        #endif
        guard let user = Self.user(of: client) else {
            close(client)
            return nil
        }
        return (client, user)
    }

    /// Removes the file if it still belongs to this socket, so that nobody can connect any more.
    func removeFile() {
        if let identity, FileStamp(path, followsLinks: false) == identity { unlink(path) }
    }

    func end() { close(socket) }

    // MARK: Making

    /// Makes a socket that listens under a temporary name in the same folder.
    private static func listen(
        _ folder: String, like name: String
    ) throws(FlowError) -> (socket: Int32, path: String) {
        var failure: Int32 = EADDRINUSE
        for _ in 0..<8 where failure == EADDRINUSE {
            let path = otherName(folder, like: name)
            let address = try SocketAddress(path: path)
            let socket = SocketAddress.makeSocket()
            guard socket >= 0 else {
                failure = errno
                break
            }
            // On Linux the file has this mode from the start.
            _ = fchmod(socket, 0o600)
            if address.with({ bind(socket, $0, $1) }) == 0 {
                if chmod(path, 0o600) == 0, systemListen(socket, 64) == 0,
                    fcntl(socket, F_SETFL, O_NONBLOCK) == 0
                {
                    return (socket, path)
                }
                failure = errno
                unlink(path)
            } else {
                failure = errno
            }
            close(socket)
        }
        throw FlowError(.unmadeSocket, folder + name, SystemFailure(number: failure))
    }

    /// A hidden name of about the same length, so that it fits too.
    private static func otherName(_ folder: String, like name: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let count = max(name.utf8.count - 1, 6)
        return folder + "." + String((0..<count).map { _ in letters.randomElement() ?? "a" })
    }

    /// Gives the socket its name unless the name is taken.
    private static func publish(_ made: String, as path: String) throws(FlowError) {
        for _ in 0..<8 {
            if link(made, path) == 0 { return }
            guard errno == EEXIST else {
                // The file system has no hard links. If two processes race, the later one wins.
                guard FileStamp(path, followsLinks: false) == nil, rename(made, path) == 0
                else { break }
                return
            }
            try removeStale(path)
        }
        throw FlowError(.unmadeSocket, path, SystemFailure())
    }

    /// Removes the socket of a process that has ended.
    private static func removeStale(_ path: String) throws(FlowError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw FlowError(.fileAtSocket, path) }
        try refuseLive(path, called: path)
        // Another process may have replaced the file and listen there; then it is put back.
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let taken = otherName(folder, like: String(path.dropFirst(folder.count)))
        guard rename(path, taken) == 0 else { return }
        do throws(FlowError) {
            try refuseLive(taken, called: path)
        } catch {
            if link(taken, path) != 0, errno != EEXIST { rename(taken, path) }
            unlink(taken)
            throw error
        }
        unlink(taken)
    }

    /// - Throws: A `FlowError` if a process listens at the socket.
    private static func refuseLive(_ path: String, called name: String) throws(FlowError) {
        let address = try SocketAddress(path: path)
        let socket = SocketAddress.makeSocket()
        defer { close(socket) }
        // A process that does not accept must not block this one.
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        let isConnected = address.with { connect(socket, $0, $1) } == 0
        switch errno {
        case _ where isConnected: break
        case ECONNREFUSED, ENOENT: return
        case EAGAIN, EINPROGRESS: break
        case let number: throw FlowError(.unreachableSocket, name, SystemFailure(number: number))
        }
        throw FlowError(.takenSocket, name)
    }

    // MARK: Users

    /// The user of the process at the other end.
    private static func user(of client: Int32) -> uid_t? {
        #if canImport(Darwin)
            var (user, group) = (uid_t(), gid_t())
            return getpeereid(client, &user, &group) == 0 ? user : nil
        #else
            // Swift does not import `ucred`: the process, its user and its group.
            var numbers: (pid_t, uid_t, gid_t) = (0, 0, 0)
            var size = socklen_t(MemoryLayout.size(ofValue: numbers))
            guard getsockopt(client, SOL_SOCKET, SO_PEERCRED, &numbers, &size) == 0 else {
                return nil
            }
            return numbers.1
        #endif
    }
}

/// The system functions. The methods above hide their names.
private func systemAccept(_ socket: Int32) -> Int32 { accept(socket, nil, nil) }
private func systemListen(_ socket: Int32, _ count: Int32) -> Int32 { listen(socket, count) }
