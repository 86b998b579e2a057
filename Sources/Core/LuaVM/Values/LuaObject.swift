import CLuaBridge
import PlainValue

/// An object of the host, whose methods scripts can call and whose fields they can read.
///
/// ```swift
/// let type = try vm.makeObjectType("context", methods: ["render": render])
/// let context = try vm.makeObject(type, tag: 7)
/// try context.setField("now", to: .value(5))
/// _ = try vm.call(function, .reference(context.reference))
/// ```
///
/// Reading an unknown name is an error that suggests a similar name. Every write is an error.
public final class LuaObject {
    /// The object as a Lua value.
    public let reference: LuaReference
    /// The tag that ``LuaCall/objectTag(at:)`` returns for this object.
    public let tag: Int

    init(reference: LuaReference, tag: Int) {
        self.reference = reference
        self.tag = tag
    }

    /// Sets a field that scripts can read. With nil it is unknown, which is an error to read.
    ///
    /// ```swift
    /// try context.setField("note", to: .value(.null))  // known, and reads as nil
    /// ```
    ///
    /// - Parameter isInput: True if the field is known only with ``access`` ``Access/input``.
    /// - Throws: A ``LuaError`` of code `conversion`, `memoryLimit` or `processEnded`.
    public func setField(
        _ name: String, to argument: LuaArgument, isInput: Bool = false
    ) throws(LuaError) {
        let bridge = reference.interpreter.bridge
        let slot = reference.slot
        let status = try argument.withBridged { argument throws(LuaError) in
            name.withBytes { bytes, count in
                withUnsafePointer(to: argument) {
                    lb_object_set(bridge, slot, bytes, count, $0, isInput ? 1 : 0)
                }
            }
        }
        if status == LB_GONE { throw LuaError(.processEnded, LuaVM.endOfProcess(bridge)) }
        guard status == LB_OK else {
            throw LuaError(.memoryLimit, "there is not enough memory for the field '\(name)'")
        }
    }

    /// The use that scripts may make of an object.
    public enum Access: Sendable {
        /// None: an error says that the object is used after the call that received it.
        case none
        /// Calls of its methods, and reads of its fields but those of an input, which are unknown.
        case methods
        /// Reads of its fields of an input, too.
        case input
    }

    /// The use that scripts may make of it; its methods at first.
    @exclusivity(unchecked)
    public var access = Access.methods {
        // No code that reads or writes this touches it again meanwhile, since the bridge only sets
        // flags. A checked access takes some 100 instructions, twice for each action.
        didSet {
            lb_object_set_usable(
                reference.interpreter.bridge, reference.slot, access != .none, access == .input)
        }
    }
}

/// A type of objects: a name and the methods that all its objects share.
///
/// ```swift
/// let render = try vm.makeFunction("host") { call throws(LuaError) in
///     .value(.int(call.objectTag(at: 1) ?? -1))
/// }
/// let type = try vm.makeObjectType("context", methods: ["render": render])
/// ```
public final class LuaObjectType {
    /// The name of the objects in errors.
    public let name: String
    let reference: LuaReference

    init(name: String, reference: LuaReference) {
        self.name = name
        self.reference = reference
    }
}

extension LuaVM {
    /// Makes a type of objects.
    ///
    /// - Parameter name: The name of the objects in errors, such as `context`.
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
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

    /// Makes an object; `tag` identifies it in a host function.
    ///
    /// ```swift
    /// let item = try vm.makeObject(itemType, tag: 7)  // 7 is call.objectTag(at: 1) in a method
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeObject(_ type: LuaObjectType, tag: Int) throws(LuaError) -> LuaObject {
        let reference = try makeReference { slot in
            lb_make_object(bridge, self.slot(of: type.reference), Int64(tag), slot)
        }
        return LuaObject(reference: reference, tag: tag)
    }
}
