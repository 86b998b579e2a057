package import NIOCore
package import PlainValue

/// The bytes of server-sent events.
package enum EventBytes {
    /// Tells a browser how long it is to wait before it asks again for a stream that ended.
    package static let retry = ByteBuffer(string: "retry: 1000\n\n")

    /// A sign of life, which browsers do not tell their pages of.
    package static let heartbeat = ByteBuffer(string: ":\n\n")

    /// An event; `data` has no end of a line in it.
    package static func event(_ name: String? = nil, id: String? = nil, data: ByteBuffer)
        -> ByteBuffer
    {
        var bytes = ByteBuffer()
        if let name { bytes.writeString("event: \(name)\n") }
        if let id { bytes.writeString("id: \(id)\n") }
        bytes.writeString("data: ")
        bytes.writeImmutableBuffer(data)
        bytes.writeString("\n\n")
        return bytes
    }

    /// An event whose data is JSON.
    package static func event(_ name: String? = nil, id: String? = nil, _ record: Value.Record)
        -> ByteBuffer
    {
        event(name, id: id, data: ByteBuffer(string: Value.record(record).json))
    }
}
