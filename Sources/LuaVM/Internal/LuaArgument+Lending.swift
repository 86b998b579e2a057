import CLuaBridge
import PlainValue

extension LuaArgument {
    /// Lends this argument in the bridge's form for the duration of `body`.
    @inline(__always)
    func withBridged<Result>(
        _ body: (lb_argument) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        switch self {
        case .nil: return try body(lb_argument(LB_ARGUMENT_NIL))
        case .value(let value): return try value.withBridged(body)
        case .reference(let reference):
            defer { withExtendedLifetime(reference) {} }
            return try body(lb_argument(LB_ARGUMENT_REFERENCE, reference: reference.slot))
        }
    }
}

extension Value {
    func withBridged<Result>(
        _ body: (lb_argument) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        switch self {
        case .null: return try body(lb_argument(LB_ARGUMENT_NULL))
        case .bool(let bool):
            return try body(lb_argument(LB_ARGUMENT_BOOLEAN, integer: bool ? 1 : 0))
        case .int(let int):
            return try body(lb_argument(LB_ARGUMENT_INTEGER, integer: Int64(int)))
        case .double(let double):
            return try body(lb_argument(LB_ARGUMENT_NUMBER, number: double))
        case .string(let string):
            return try string.withBytes { bytes, count throws(LuaError) in
                try body(lb_argument(LB_ARGUMENT_STRING, bytes: bytes, length: count))
            }
        case .list, .record:
            return try withEncoding { bytes throws(LuaError) in
                try body(
                    lb_argument(
                        LB_ARGUMENT_ENCODED, bytes: bytes.baseAddress, length: bytes.count))
            }
        }
    }

    /// Lends the encoding; a value that cannot be encoded is a conversion error.
    func withEncoding<Result>(
        _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        do {
            return try withEncodedBytes(limits: .everything, body)
        } catch let error as LuaError {
            throw error
        } catch {
            var failure = LuaError(.conversion, "\(error)")
            failure.underlying = error
            throw failure
        }
    }
}

extension ValueLimits {
    /// Whatever can be encoded.
    static let everything = ValueLimits(depth: 128, count: .max, byteCount: .max)
}

extension lb_argument {
    @inline(__always)
    init(
        _ kind: lb_argument_kind, reference: Int32 = 0, integer: Int64 = 0, number: Double = 0,
        bytes: UnsafeRawPointer? = nil, length: Int = 0
    ) {
        self.init(
            kind: kind, reference: reference, integer: integer, number: number, bytes: bytes,
            length: length)
    }
}
