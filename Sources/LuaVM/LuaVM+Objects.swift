import CLuaBridge
import PlainValue

extension LuaVM {
    /// Makes a type of objects; `name` is how errors name an object, such as `context`.
    public func makeObjectType(
        _ name: String, methods: [String: LuaReference]
    ) throws(LuaError) -> LuaObjectType {
        let table = try makeTable(.record([:]))
        for (name, method) in methods {
            try setField(name, of: table, to: .reference(method))
        }
        let reference = try makeReference { slot in
            name.withBytes { bytes, count in
                lb_make_object_type(bridge, bytes, count, table.slot, slot)
            }
        }
        return LuaObjectType(name: name, reference: reference)
    }

    /// Makes an object; `tag` tells it from others in a host function.
    public func makeObject(_ type: LuaObjectType, tag: Int) throws(LuaError) -> LuaObject {
        let reference = try makeReference { slot in
            lb_make_object(bridge, type.reference.slot, Int64(tag), slot)
        }
        return LuaObject(reference: reference, tag: tag)
    }
}
