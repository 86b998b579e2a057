import CLuaBridge

/// The results of the modules of a set of files, and the time, as scripts see them in `package`.
package final class LuaPackage {
    // Unowned, since a host function that the VM keeps holds this.
    private unowned let vm: LuaVM
    private let generation: UInt32
    private let reference: LuaReference
    private let loaded: LuaReference

    /// Makes a package that has the libraries of Lua. `now` gives the time, in seconds since 1970.
    package init(in vm: LuaVM, now: LuaReference) throws(LuaError) {
        self.vm = vm
        generation = vm.generation
        reference = try vm.makeReference { slot in lb_make_package(vm.bridge, slot) }
        try vm.setField("now", of: reference, to: .reference(now))
        guard let loaded = try vm.field("loaded", of: reference).reference else {
            throw LuaError(.invalidUse, "a package has no table of modules")
        }
        self.loaded = loaded
    }

    /// True if the process of the scripts is still the one in which the package was made.
    package var isUsable: Bool { generation == vm.generation }

    /// The function that copies a value without its metatables.
    package var plain: LuaReference? {
        get throws(LuaError) { try value("plain", of: reference) }
    }

    /// Shows scripts this package in place of any other one.
    package func use() throws(LuaError) { try vm.check(lb_use_package(vm.bridge, reference.slot)) }

    /// The result of the module of this name, or the value set in its place; `nil` if none.
    package func loaded(_ name: String) throws(LuaError) -> LuaReference? {
        try value(name, of: loaded)
    }

    package func setLoaded(_ name: String, to module: LuaReference) throws(LuaError) {
        try vm.setField(name, of: loaded, to: .reference(module))
    }

    /// The function that a library has set as the module of this name.
    package func preloaded(_ name: String) throws(LuaError) -> LuaReference? {
        try part(name, of: "preload")
    }

    /// A global of library files; `nil` before one of these was loaded.
    package func libraryGlobal(_ name: String) throws(LuaError) -> LuaReference? {
        try part(name, of: "environment")
    }

    private func part(_ name: String, of table: String) throws(LuaError) -> LuaReference? {
        guard let table = try vm.field(table, of: reference).reference else { return nil }
        return try value(name, of: table)
    }

    private func value(_ name: String, of table: LuaReference) throws(LuaError) -> LuaReference? {
        let field = try vm.field(name, of: table)
        if let scalar = field.scalar { return try vm.makeReference(.value(scalar)) }
        return field.reference
    }
}
