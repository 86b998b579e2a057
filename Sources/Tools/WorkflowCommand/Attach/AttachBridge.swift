import Dispatch
import FlowPrinting
import FlowREPL
import PlainValue
import Terminal

/// Passes lines of the JSON protocol between standard input and output and a socket.
struct AttachBridge {
    /// Runs until the session, the connection or the reader of the output has ended. The end of the
    /// input closes the connection after all requests are served.
    func run(_ path: String) async throws -> ExitStatus {
        let connection = try SocketConnection(path: path)
        DispatchQueue(label: "standard input").async {
            var reader = LineReader()
            while let line = reader.next() {
                guard connection.send(line) else { return }
            }
            connection.endSending()
        }
        return await withCheckedContinuation { end in
            DispatchQueue(label: "socket").async {
                end.resume(returning: Self.printLines(of: connection))
            }
        }
    }

    private static func printLines(of connection: SocketConnection) -> ExitStatus {
        var last: [UInt8] = []
        var failure: OutputFailure?
        connection.readLines { line in
            last = line
            failure = OutputStream.standardOutput.write(
                String(decoding: line, as: UTF8.self) + "\n")
            return failure == nil
        }
        switch failure {
        case .readerGone: return .success
        case .unwritable:
            if let message = failure?.message {
                OutputStream.standardError.write("error: \(message)\n")
            }
            return .io
        case nil: break
        }
        guard let record = try? Value(json: last), record["type"] == "done" else {
            OutputStream.standardError.write(
                "error: the connection was lost: the program at \(connection.path) has ended\n")
            return .io
        }
        return record["reason"] == "refused" || record["reason"] == "dropped"
            ? .unavailable : .success
    }
}
