extension Value.Record {
    /// The value under a key, or nil when there is none; assigning nil removes the key.
    ///
    /// ```swift
    /// item["due"] = .null  // keeps the key, which holds nothing
    /// item["due"] = nil  // removes the key
    /// ```
    public subscript(key: String) -> Value? {
        get {
            switch storage {
            case .owned(let entries):
                let place = entries.place(of: key)
                // Not by `?:`, in which `nil` would be a `Value`.
                if place.found { return entries[place.index].value }
                return nil
            case .encoded(let view):
                return view.value(forKey: key)
            }
        }
        _modify {
            var entries = takeEntries()
            let place = entries.place(of: key)
            var value: Value?
            if place.found {
                value = entries[place.index].value
                // The array must not hold the value during the change, or that would copy it.
                entries[place.index].value = .null
            }
            defer {
                switch (value, place.found) {
                case (let value?, true): entries[place.index].value = value
                case (let value?, false): entries.insert((key, value), at: place.index)
                case (nil, true): entries.remove(at: place.index)
                case (nil, false): break
                }
                storage = .owned(entries)
            }
            yield &value
        }
    }

    /// The value under a key, or `fallback` when there is none.
    ///
    /// ```swift
    /// let left = stock["tea", default: 0]
    /// ```
    public subscript(key: String, default fallback: @autoclosure () -> Value) -> Value {
        get { self[key] ?? fallback() }
        set { self[key] = newValue }
    }

    /// The position of a key, or nil when there is none.
    public func index(forKey key: String) -> Int? {
        switch storage {
        case .owned(let entries):
            let place = entries.place(of: key)
            return place.found ? place.index : nil
        case .encoded(let view):
            return view.index(ofKey: key)
        }
    }

    /// Removes a key, giving the value that was under it, or nil when there was none.
    ///
    /// ```swift
    /// let removed = stock.removeValue(forKey: "tea")
    /// ```
    @discardableResult
    public mutating func removeValue(forKey key: String) -> Value? {
        guard let index = index(forKey: key) else { return nil }
        var entries = takeEntries()
        let value = entries.remove(at: index).value
        storage = .owned(entries)
        return value
    }

    /// Puts a value under a key, giving the one that was there before, or nil when none was.
    ///
    /// ```swift
    /// let before = stock.updateValue(7, forKey: "tea")
    /// ```
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
        let previous = self[key]
        self[key] = value
        return previous
    }
}

extension [Value.Record.Element] {
    /// The index of a key in sorted entries; if it is not found, the index at which to insert it.
    fileprivate func place(of key: String) -> (index: Int, found: Bool) {
        key.withBytes { bytes in
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                let ordering = self[middle].key.withBytes { order(of: $0, to: bytes) }
                if ordering == 0 { return (middle, true) }
                if ordering < 0 { low = middle + 1 } else { high = middle }
            }
            return (low, false)
        }
    }
}
