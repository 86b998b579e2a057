package import NIOCore
package import PlainValue

/// The bytes of server-sent events.
package enum EventBytes {
    /// The browser's delay before it reconnects.
    package static let retry = ByteBuffer(string: "retry: 1000\n\n")

    /// A comment that keeps the connection alive; browsers do not pass it to pages.
    package static let heartbeat = ByteBuffer(string: ":\n\n")

    /// An event; `data` contains no line feed.
    package static func event(_ name: String? = nil, id: String? = nil, data: ByteBuffer)
        -> ByteBuffer
    {
        // A line break would begin another field.
        assert([name, id].allSatisfy { $0?.contains(where: \.isNewline) != true })
        var bytes = ByteBuffer()
        if let name { bytes.writeString("event: \(name)\n") }
        if let id { bytes.writeString("id: \(id)\n") }
        bytes.writeString("data: ")
        bytes.writeImmutableBuffer(data)
        bytes.writeString("\n\n")
        return bytes
    }

    package static func event(_ name: String? = nil, id: String? = nil, _ record: Value.Record)
        -> ByteBuffer
    {
        event(name, id: id, data: ByteBuffer(string: Value.record(record).json))
    }
}
