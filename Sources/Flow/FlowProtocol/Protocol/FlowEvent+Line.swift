import PlainValue
import WorkflowKit
import WorkflowLua

extension FlowEvent {
    /// The event as a line for clients of a socket.
    var line: [UInt8] {
        var record = record.record ?? [:]
        switch kind {
        case .error(let error): record["excerpt"] = error.recordWithExcerpt["excerpt"]
        case .reply(_, _, let error?): record["error"] = .record(error.recordWithExcerpt)
        default: break
        }
        var bytes: [UInt8] = []
        Value.record(record).write(json: .compact, into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
