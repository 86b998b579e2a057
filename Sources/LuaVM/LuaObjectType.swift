/// A kind of object: a name and the methods that all its objects share.
public final class LuaObjectType {
    /// How errors name an object of this type.
    public let name: String
    let reference: LuaReference

    init(name: String, reference: LuaReference) {
        self.name = name
        self.reference = reference
    }
}
