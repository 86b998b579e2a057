import CLuaBridge
import PlainValue

extension LuaVM {
    func reference(_ slot: Int32) -> LuaReference {
        LuaReference(interpreter: interpreter, slot: slot)
    }

    /// The value that the bridge has encoded, copied out of its buffer.
    func value(_ result: lb_value) -> Value { value(result, after: &results) }

    /// The value that the bridge has encoded, as the next of another series of encodings.
    func value(_ result: lb_value, after previous: inout EncodingPair) -> Value {
        switch result.type {
        case LB_TYPE_NIL, LB_TYPE_NULL: .null
        case LB_TYPE_BOOLEAN: .bool(result.integer != 0)
        case LB_TYPE_INTEGER: .int(Int(result.integer))
        case LB_TYPE_NUMBER: .double(result.number)
        case LB_TYPE_STRING: .string(String(result.bytes, result.length))
        default:
            Value(
                copyingTrustedContainer: UnsafeRawBufferPointer(
                    start: result.bytes, count: result.length),
                after: &previous)
        }
    }

    func scalar(_ result: lb_value) -> Value? {
        switch result.type {
        case LB_TYPE_NULL, LB_TYPE_BOOLEAN, LB_TYPE_INTEGER, LB_TYPE_NUMBER, LB_TYPE_STRING:
            .some(value(result))
        default: .none
        }
    }

    func field(key: LuaField.Key, _ result: lb_value) -> LuaField {
        LuaField(
            key: key, type: LuaType(result.type), scalar: scalar(result),
            reference: result.reference == 0 ? nil : reference(result.reference))
    }

    func makeReference(
        _ operation: (UnsafeMutablePointer<Int32>) throws(LuaError) -> lb_status
    ) throws(LuaError) -> LuaReference {
        var slot: Int32 = 0
        try check(try operation(&slot))
        return reference(slot)
    }

    func check(_ status: lb_status) throws(LuaError) {
        guard status == LB_OK else { throw error(status) }
    }
}
