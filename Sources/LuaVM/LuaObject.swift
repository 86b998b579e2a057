import CLuaBridge

/// An object of the host: scripts can call its methods and read its fields, and nothing else.
///
/// Reading a name it does not have is an error that tells the nearest name; so is every write.
public final class LuaObject {
    /// The object as a Lua value.
    public let reference: LuaReference
    /// What ``LuaCall/objectTag(at:)`` gives for this object.
    public let tag: Int

    init(reference: LuaReference, tag: Int) {
        self.reference = reference
        self.tag = tag
    }

    /// Sets a field that scripts can read.
    ///
    /// Throws a ``LuaError`` if there is not enough memory.
    public func setField(_ name: String, to argument: LuaArgument) throws(LuaError) {
        let bridge = reference.state.bridge
        let slot = reference.slot
        let status = try argument.withBridged { argument throws(LuaError) in
            name.withBytes { bytes, count in
                withUnsafePointer(to: argument) { lb_object_set(bridge, slot, bytes, count, $0) }
            }
        }
        if status == LB_GONE {
            throw LuaError(
                .processEnded,
                "the process that ran the script was ended: "
                    + String(cString: lb_gone_reason(bridge)))
        }
        guard status == LB_OK else {
            throw LuaError(.memoryLimit, "there is not enough memory for the field '\(name)'")
        }
    }

    /// Whether scripts may read it; when not, an error says that it is used after the call that
    /// received it. True at first.
    @exclusivity(unchecked)
    public var isUsable = true {
        didSet { lb_object_set_usable(reference.state.bridge, reference.slot, isUsable) }
    }
}
