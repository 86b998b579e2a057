import CLuaBridge

extension String {
    /// Copies bytes of Lua, replacing those that are not UTF-8.
    init(_ bytes: UnsafeRawPointer?, _ length: Int) {
        self.init(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    }

    init(_ text: lb_text) {
        self.init(text.bytes, text.length)
    }

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
