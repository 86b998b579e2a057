import CPeer

/// An isolated state whose process was taken over: the first byte says how many others decide the
/// host's requests; the rest decide what the process says. The host is not harmed, and soon done.
enum PeerTarget: FuzzTarget {
    /// Each request with each of the ways to break the protocol.
    static let seeds: [[UInt8]] = (0..<16).flatMap { request in
        (0..<13).map { habit in
            let host = [0, request, request, 14, 15, request].map { UInt8($0) }
            // The state, a function and a table are made.
            let process: [UInt8] = [0, 0, 0, 100, 101, 102, 200, UInt8(habit), 252]
            return [UInt8(host.count)] + host + process
        }
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let host = bytes.dropFirst().prefix(Int(first))
        let process = bytes.dropFirst(1 + host.count)
        UnsafeRawBufferPointer(rebasing: host).withMemoryRebound(to: UInt8.self) { host in
            UnsafeRawBufferPointer(rebasing: process).withMemoryRebound(to: UInt8.self) { process in
                let played = peer_play(
                    host.baseAddress, host.count, process.baseAddress, process.count)
                guard played else { contradiction("no process") }
            }
        }
    }
}
