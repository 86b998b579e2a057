import CLuaBridge
public import PlainValue

/// A call of a host function. Arguments count from 1, or are nil.
///
/// ```swift
/// let note = try vm.makeFunction("note") { call throws(LuaError) in
///     guard let text = call.string(at: 1) else {
///         throw LuaError(.host, "\(call.functionName) takes a text")
///     }
///     log.append(text)
///     return .value(.int(log.count))
/// }
/// ```
///
/// - Important: Valid until the function returns.
public struct LuaCall: ~Copyable {
    /// The VM whose script makes the call.
    public let vm: LuaVM
    /// The name that the function was made with.
    public let functionName: String
    let call: OpaquePointer

    /// The number of arguments that were passed.
    public var argumentCount: Int { Int(lb_call_count(call)) }

    /// The type of an argument.
    ///
    /// ```swift
    /// guard call.type(at: 1).isTable else { throw LuaError(.host, "sum takes a table") }
    /// ```
    public func type(at index: Int) -> LuaType {
        LuaType(lb_call_type(call, Int32(clamping: index)))
    }

    /// An argument that is a string; nil for any other.
    public func string(at index: Int) -> String? { scalar(at: index)?.string }

    /// An argument that is a whole number; nil for any other.
    ///
    /// ```swift
    /// let count = call.integer(at: 2) ?? 1  // 1 also for nil, 2.5 and "2"
    /// ```
    public func integer(at index: Int) -> Int? { scalar(at: index)?.int }

    /// An argument that is a boolean, a number, a string or null; nil for any other.
    public func scalar(at index: Int) -> Value? {
        var value = lb_value()
        lb_call_scalar(call, Int32(clamping: index), &value)
        return vm.scalar(value)
    }

    /// The plain value of an argument.
    ///
    /// ```swift
    /// _ = try call.value(at: 1, root: "row")  // throws row.tap: a function is not a plain value
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `conversion`, whose path begins with `root`.
    public func value(at index: Int, root: String) throws(LuaError) -> Value {
        var value = lb_value()
        let status = lb_call_encode(call, Int32(clamping: index), &value)
        guard status == LB_OK else { throw vm.error(status, root: root) }
        return vm.value(value)
    }

    /// A reference to an argument.
    ///
    /// ```swift
    /// callbacks.append(try call.reference(at: 1))  // a function to call later
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func reference(at index: Int) throws(LuaError) -> LuaReference {
        try vm.makeReference { slot in lb_call_reference(call, Int32(clamping: index), slot) }
    }

    /// Returns an identity of a table, a function or an object.
    ///
    /// - Important: Unique only while that is alive: a later one may get the same identity.
    public func identity(at index: Int) -> UnsafeRawPointer? {
        lb_call_identity(call, Int32(clamping: index))
    }

    /// The tag of an argument that is an object; nil for any other.
    public func objectTag(at index: Int) -> Int? {
        var tag: Int64 = 0
        return lb_call_object(call, Int32(clamping: index), &tag) ? Int(tag) : nil
    }

    /// A field of an argument that is a table or a view, read raw; of type nil if there is none.
    ///
    /// ```swift
    /// let title = try call.field("title", at: 1).scalar?.string
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func field(_ name: String, at index: Int) throws(LuaError) -> LuaField {
        var value = lb_value()
        let status = name.withBytes { bytes, count in
            lb_call_field(call, Int32(clamping: index), bytes, count, &value)
        }
        try vm.check(status)
        return vm.field(key: .name(name), value)
    }

    /// All fields of an argument that is a table or a view, in the order of ``LuaVM/fields(of:)``.
    ///
    /// ```swift
    /// for field in try call.fields(at: 1) { print(field.key, field.type) }
    /// ```
    ///
    /// - Throws: A ``LuaError``: `invalidUse` for any other value, `memoryLimit` or `processEnded`.
    public func fields(at index: Int) throws(LuaError) -> [LuaField] {
        try vm.collectFields(lb_call_fields_begin(call, Int32(clamping: index))) ?? []
    }

    /// The fields of an argument, as ``LuaVM/fields(of:upTo:cuttingTextsTo:)`` gives them.
    ///
    /// - Parameters:
    ///   - index: The argument, counted from 1.
    ///   - limit: The maximum number of fields.
    ///   - length: The maximum length of each text, in bytes.
    /// - Throws: As ``fields(at:)``.
    public func fields(
        at index: Int, upTo limit: Int, cuttingTextsTo length: Int
    ) throws(LuaError) -> [LuaField]? {
        try vm.collectFields(
            lb_call_fields_begin(call, Int32(clamping: index)), upTo: limit, cuttingTextsTo: length)
    }

    /// The location of the call in the script; nil if no script's code makes it.
    public var callerLocation: LuaLocation? {
        var location = lb_location()
        return lb_call_location(call, &location) ? LuaLocation(location) : nil
    }

    func reply(_ argument: LuaArgument) throws(LuaError) {
        try argument.withBridged { argument throws(LuaError) in
            let status = withUnsafePointer(to: argument) { lb_reply(call, $0) }
            try vm.check(status)
        }
    }
}

extension LuaCall {
    /// Remembers this call and its reply. The reply is given again, without a call of the function,
    /// when all of these hold: the same object is the first argument; the call has the same place
    /// in the order of its calls; the second argument is the same, and the third and fourth are
    /// equal as plain values; and ``LuaVM/onRecall`` accepts the token, a number that no reply of
    /// another call has.
    ///
    /// - Parameter reply: `nil` to remember only the location of the call in the script.
    package func remember(_ token: Int, _ reply: LuaReference?) {
        // Without memory for it the next call runs the function. A limit that fired ends the call.
        _ = lb_remember(call, Int64(token), reply?.slot ?? 0)
        withExtendedLifetime(reply) {}
    }

    /// The location of the object's previous call that was remembered under a token.
    package func rememberedLocation(_ token: Int) -> LuaLocation? {
        var location = lb_location()
        guard lb_remembered_location(call, Int64(token), &location) else { return nil }
        return LuaLocation(location)
    }
}

extension LuaVM {
    /// Restarts the count of the calls that an object gets, with the next one as the first.
    package func recall(_ object: LuaSlot) { lb_object_recall(bridge, object.number) }
}
