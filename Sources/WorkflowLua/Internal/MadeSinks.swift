import LuaVM
import PlainValue

/// The sinks without fields that a node has made: equal in each render, so made once.
struct MadeSinks {
    private struct Entry {
        let sink: LuaReference
        /// The number of the last render that asked for it.
        var render: Int
    }

    private var entries: [Name: Entry] = [:]
    private var render = 0
    /// How many of the entries this render has asked for.
    private var asked = 0

    /// The sink of this type, if there is one.
    mutating func find(_ type: Name) -> LuaReference? {
        guard let index = entries.index(forKey: type) else { return nil }
        if entries.values[index].render != render {
            entries.values[index].render = render
            asked += 1
        }
        return entries.values[index].sink
    }

    mutating func keep(_ sink: LuaReference, of type: Name) {
        entries[type] = Entry(sink: sink, render: render)
        asked += 1
    }

    /// Notes that a render is over. Sinks that it has not asked for are dropped once they are many.
    @inline(__always)
    mutating func endRender() {
        if entries.count > 2 * asked + 16 { removeUnused() }
        render += 1
        asked = 0
    }

    private mutating func removeUnused() {
        entries = entries.filter { $0.value.render == render }
    }

    mutating func removeAll() {
        entries = [:]
        asked = 0
    }
}
