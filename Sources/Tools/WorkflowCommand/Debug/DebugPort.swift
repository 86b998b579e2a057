import Dispatch
import FlowDebugging
import FlowPrinting
import FlowREPL
import LibC
import WorkflowLua

/// A local port where editors connect to the debugger.
struct DebugPort {
    let number: UInt16
    private let socket: Int32

    /// - Parameter wanted: The port; 0 for any free one.
    init(_ wanted: UInt16) throws {
        socket = LibC.socket(AF_INET, SocketType.stream, 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        guard isOpen else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw Refusal(FlowError(.takenPort, wanted, reason), .unavailable)
        }
        number = UInt16(bigEndian: address.sin_port)
    }

    /// Serves all clients concurrently until the process ends.
    func serve(_ options: DebugAdapter.Options) async {
        let (clients, end) = AsyncStream<Int32>.makeStream()
        DispatchQueue(label: "clients of the debugger").async { [socket] in
            while true {
                let client = accept(socket, nil, nil)
                if client >= 0 {
                    end.yield(client)
                } else if errno != EINTR && errno != ECONNABORTED {
                    break
                }
            }
            end.finish()
        }
        await withDiscardingTaskGroup { group in
            for await client in clients {
                group.addTask {
                    await DebugConnection(input: client, output: client).serve(options)
                    shutdown(client, Int32(SHUT_RDWR))
                    close(client)
                }
            }
        }
    }
}
