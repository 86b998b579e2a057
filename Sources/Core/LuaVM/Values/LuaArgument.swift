import CLuaBridge
public import PlainValue

/// A value that the host passes to Lua, as an argument, a field, or the result of a host function.
public enum LuaArgument {
    /// Lua's nil.
    case `nil`
    /// A plain value; its null arrives as the sentinel null, not as nil.
    case value(Value)
    /// A Lua value that the host references.
    case reference(LuaReference)
}

/// An argument in the bridge's form, valid while this and the original argument are kept alive.
struct BridgedArgument {
    let raw: lb_argument
    /// The owner of the bytes of `raw`, unless they are the argument's own.
    private let made: EncodedValue?

    /// Throws a conversion error for a value that cannot be encoded.
    @inline(__always)
    init(_ argument: LuaArgument) throws(LuaError) {
        switch argument {
        case .nil: self.init(lb_argument.nil)
        case .reference(let reference): self.init(lb_argument(reference.borrowed))
        case .value(let value): try self.init(value)
        }
    }

    @inline(__always)
    init(_ value: Value) throws(LuaError) {
        if let bytes = value.borrowedEncoding {
            self.init(lb_argument(LB_ARGUMENT_ENCODED, bytes))
        } else {
            try self.init(making: value)
        }
    }

    @inline(never)
    private init(making value: Value) throws(LuaError) {
        switch value {
        case .null: self.init(lb_argument(LB_ARGUMENT_NULL))
        case .bool(let bool): self.init(lb_argument(LB_ARGUMENT_BOOLEAN, integer: bool ? 1 : 0))
        case .int(let int): self.init(lb_argument(LB_ARGUMENT_INTEGER, integer: Int64(int)))
        case .double(let double): self.init(lb_argument(LB_ARGUMENT_NUMBER, number: double))
        case .string, .list, .record:
            let made = try value.encodedForLua()
            self.init(lb_argument(LB_ARGUMENT_ENCODED, made.borrowedBytes), made)
        }
    }

    @inline(__always)
    private init(_ raw: lb_argument, _ made: EncodedValue? = nil) {
        self.raw = raw
        self.made = made
    }
}

extension LuaArgument {
    @inline(__always)
    func withBridged<Result>(
        _ body: (lb_argument) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        let bridged = try BridgedArgument(self)
        defer { withExtendedLifetime((self, bridged)) {} }
        return try body(bridged.raw)
    }
}

extension Value {
    /// Lends the encoding. Throws a conversion error for a value that cannot be encoded.
    func withEncoding<Result>(
        _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        let encoded = try encodedForLua()
        defer { withExtendedLifetime(encoded) {} }
        return try body(encoded.borrowedBytes)
    }

    fileprivate func encodedForLua() throws(LuaError) -> EncodedValue {
        do throws(ValueError) {
            return try encoded(limits: .everything)
        } catch {
            var failure = LuaError(.conversion, "\(error)")
            failure.underlying = error
            throw failure
        }
    }
}

extension ValueLimits {
    fileprivate static let everything = ValueLimits(depth: 128, count: .max, byteCount: .max)
}

extension lb_argument {
    @inline(__always)
    static var `nil`: lb_argument { lb_argument(LB_ARGUMENT_NIL) }

    @inline(__always)
    init(_ slot: LuaSlot) { self.init(LB_ARGUMENT_REFERENCE, reference: slot.number) }

    @inline(__always)
    fileprivate init(
        _ kind: lb_argument_kind, reference: Int32 = 0, integer: Int64 = 0, number: Double = 0
    ) {
        self.init(
            kind: kind, reference: reference, integer: integer, number: number, bytes: nil,
            length: 0)
    }

    @inline(__always)
    fileprivate init(_ kind: lb_argument_kind, _ bytes: UnsafeRawBufferPointer) {
        self.init(
            kind: kind, reference: 0, integer: 0, number: 0, bytes: bytes.baseAddress,
            length: bytes.count)
    }
}

// There is none for `nil`: as a plain value it would be null, which is another value in Lua.

extension LuaArgument: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
}

extension LuaArgument: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .value(.int(value)) }
}

extension LuaArgument: ExpressibleByFloatLiteral {
    /// Makes a float.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
}

extension LuaArgument: ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .value(.string(value)) }
}
