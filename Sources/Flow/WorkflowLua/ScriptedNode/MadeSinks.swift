import LuaVM
import PlainValue

/// The sinks without fields of a node. They are equal in each render, so they are made once.
struct MadeSinks {
    private struct Entry {
        let type: Name
        let sink: LuaReference
        /// The number of the last render that requested it.
        var render: Int
    }

    private var entries: ContiguousArray<Entry> = []
    private var places: [Name: Int] = [:]
    /// The likely index of the next request: renders make their requests in the same order.
    private var cursor = 0
    private var render = 0
    /// The number of entries that this render has requested.
    private var asked = 0

    @inline(__always)
    mutating func find(_ type: Name) -> LuaReference? {
        if cursor >= entries.count || entries[cursor].type != type {
            guard let place = places[type] else { return nil }
            cursor = place
        }
        let place = cursor
        cursor += 1
        if entries[place].render != render {
            entries[place].render = render
            asked += 1
        }
        return entries[place].sink
    }

    mutating func keep(_ sink: LuaReference, of type: Name) {
        assert(places[type] == nil)
        places[type] = entries.count
        entries.append(Entry(type: type, sink: sink, render: render))
        cursor = entries.count
        asked += 1
    }

    /// Ends a render. Sinks that it has not requested are dropped once there are many.
    @inline(__always)
    mutating func endRender() {
        assert(asked <= entries.count)
        if entries.count > 2 * asked + 16 { removeUnused() }
        cursor = 0
        render += 1
        asked = 0
    }

    private mutating func removeUnused() {
        entries.removeAll { $0.render != render }
        places = [:]
        for (place, entry) in entries.enumerated() { places[entry.type] = place }
    }

    mutating func removeAll() {
        entries = []
        places = [:]
        cursor = 0
        asked = 0
    }
}
