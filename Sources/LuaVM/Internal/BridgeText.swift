import CLuaBridge

extension String {
    /// Copies bytes of Lua, replacing what is not UTF-8.
    init(_ bytes: UnsafeRawPointer?, _ length: Int) {
        self.init(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    }

    init(_ text: lb_text) {
        self.init(text.bytes, text.length)
    }

    /// Lends the UTF-8 bytes.
    @inline(__always)
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>?, Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var copy = self
        let result: Swift.Result<Result, Failure> = copy.withUTF8 { bytes in
            do throws(Failure) {
                return .success(try body(bytes.baseAddress, bytes.count))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension LuaLocation {
    /// Nil when the line is not known.
    init?(_ location: lb_location) {
        guard location.line > 0 else { return nil }
        self.init(
            chunk: String(location.chunk, location.chunk_length), line: Int(location.line))
    }
}

extension LuaType {
    init(_ type: lb_type) {
        self =
            switch type {
            case LB_TYPE_NIL: .nil
            case LB_TYPE_NULL: .null
            case LB_TYPE_BOOLEAN: .boolean
            case LB_TYPE_INTEGER: .integer
            case LB_TYPE_NUMBER: .number
            case LB_TYPE_STRING: .string
            case LB_TYPE_TABLE: .table
            case LB_TYPE_VIEW: .view
            case LB_TYPE_FUNCTION: .function
            case LB_TYPE_OBJECT: .object
            case LB_TYPE_THREAD: .thread
            default: .userdata
            }
    }
}
