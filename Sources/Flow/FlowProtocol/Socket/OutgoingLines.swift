import LibC

/// Lines that wait to be sent to a client.
struct OutgoingLines {
    private var lines: [[UInt8]] = []
    /// The index of the first line that is not fully sent.
    private var first = 0
    /// The bytes of that line that were sent.
    private var sent = 0
    /// The bytes of all waiting lines.
    private(set) var byteCount = 0

    var isEmpty: Bool { first == lines.count }

    mutating func add(_ line: [UInt8]) {
        lines.append(line)
        byteCount += line.count
    }

    /// Removes the lines that were not begun.
    mutating func removeUnbegun() {
        assert(sent == 0 || !isEmpty)
        lines = sent > 0 ? [lines[first]] : []
        first = 0
        byteCount = lines.reduce(0) { $0 + $1.count }
    }

    mutating func removeAll() { self = OutgoingLines() }

    /// Sends as much as possible. Returns false if the client has gone.
    mutating func send(to socket: Int32) -> Bool {
        while !isEmpty {
            let line = lines[first]
            let count = line.withUnsafeBytes { bytes in
                SocketAddress.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]), to: socket)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN || errno == EWOULDBLOCK
            }
            sent += count
            guard sent == line.count else { continue }
            sent = 0
            byteCount -= line.count
            first += 1
            if first == lines.count || first > 1024 {
                lines.removeFirst(first)
                first = 0
            }
        }
        assert(byteCount == 0 && sent == 0)
        return true
    }
}
