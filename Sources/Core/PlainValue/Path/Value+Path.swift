extension Value {
    /// The value at a path, whose positions count from 1.
    ///
    /// Reading gives `nil` if the path leads nowhere. Assigning `nil` removes the key or element,
    /// and makes the value itself ``null``.
    ///
    /// ```swift
    /// order[ValuePath([.key("lines"), .index(1)])] = nil  // removes the first line
    /// ```
    ///
    /// - Important: Only the last key of a path may be new: if another part of the path leads
    ///   nowhere, assigning changes nothing.
    public subscript(path: ValuePath) -> Value? {
        get {
            var place: Value? = self
            for component in path.components { place = place?[component] }
            return place
        }
        set { assign(newValue, at: path.components[...]) }
    }

    private mutating func assign(_ value: Value?, at path: ArraySlice<ValuePath.Component>) {
        guard let first = path.first else {
            self = value ?? .null
            return
        }
        if path.count == 1 {
            self[first] = value
        } else if self[first] != nil {
            self[first]?.assign(value, at: path.dropFirst())
        }
    }

    /// The value one step from here, with the rules of the subscripts by key and by position.
    subscript(component: ValuePath.Component) -> Value? {
        get {
            switch component {
            case .key(let key): self[key]
            // A position below 1 is nowhere. Subtracting one from the smallest integer would trap.
            case .index(let index): index > 0 ? self[index - 1] : nil
            }
        }
        _modify {
            switch component {
            case .key(let key):
                yield &self[key]
            case .index(let index):
                yield &self[index > 0 ? index - 1 : -1]
            }
        }
    }
}
