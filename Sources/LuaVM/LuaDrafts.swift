package import PlainValue

/// The table of a state that has large tables, which note what is written to them.
package final class LuaDrafts {
    /// The table, or what stands for it, as functions get it.
    package private(set) var table: LuaReference
    /// What its large tables share.
    package let shared: LuaReference
    /// What there is beside the large tables, encoded.
    package private(set) var plain: [UInt8]

    init(table: LuaReference, shared: LuaReference, plain: [UInt8]) {
        self.table = table
        self.shared = shared
        self.plain = plain
    }

    func take(plain new: UnsafeRawBufferPointer) {
        if !plain.elementsEqual(new) { plain = Array(new) }
    }

    func take(table new: LuaReference) { table = new }
}

/// What a call did to a state with large tables.
package enum LuaDraftsChange {
    case none
    /// What it changed in large tables, if anything, and how many entries that are.
    case some(journal: LuaReference?, entries: Int)
    /// The whole new value, of which the drafts are not the table. The journal still leads back to the old one.
    case whole(Value, journal: LuaReference?)
}
