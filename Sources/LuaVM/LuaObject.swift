import CLuaBridge

/// An object of the host: scripts can call its methods and read its fields, and nothing else.
///
/// Reading a name it does not have is an error that tells the nearest name; so is every write.
public final class LuaObject {
    /// The object as a Lua value.
    public let reference: LuaReference
    /// What ``LuaCall/objectTag(at:)`` gives for this object.
    public let tag: Int
    private let vm: LuaVM

    init(vm: LuaVM, reference: LuaReference, tag: Int) {
        self.vm = vm
        self.reference = reference
        self.tag = tag
    }

    /// Sets a field that scripts can read.
    public func setField(_ name: String, to argument: LuaArgument) throws(LuaError) {
        try vm.set(name, to: argument) { bytes, count, argument in
            lb_object_set(vm.bridge, reference.slot, bytes, count, argument)
        }
    }

    /// Whether scripts may read it; when not, an error says that it is used after the call that
    /// received it. True at first.
    public var isUsable = true {
        didSet { lb_object_set_usable(vm.bridge, reference.slot, isUsable) }
    }
}
