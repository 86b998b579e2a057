extension Value {
    /// The value under a key of a record.
    ///
    /// Reading gives `nil` if this is not a record or has no such key. Assigning `nil` removes the
    /// key.
    ///
    /// ```swift
    /// order["note"] = "leave it at the door"
    /// ```
    ///
    /// - Important: Assigning to a value that is not a record changes nothing.
    public subscript(key: String) -> Value? {
        get {
            guard case .record(let record) = self else { return nil }
            return record[key]
        }
        _modify {
            guard case .record(var record) = self else {
                var ignored: Value?
                yield &ignored
                return
            }
            // This value must not hold the record while it changes, or the change would copy it.
            self = .null
            defer { self = .record(record) }
            yield &record[key]
        }
    }

    /// The element of a list at a position that counts from 0, as Swift collections do.
    ///
    /// Reading gives `nil` if this is not a list or is shorter. Assigning `nil` removes the
    /// element.
    ///
    /// ```swift
    /// order["lines"]?[0] = nil  // removes the first line
    /// ```
    ///
    /// - Important: Assigning to a value that is not a list, or past its end, changes nothing.
    public subscript(position: Int) -> Value? {
        get {
            guard case .list(let list) = self, list.indices.contains(position) else { return nil }
            return list[position]
        }
        _modify {
            guard case .list(var list) = self, list.indices.contains(position) else {
                var ignored: Value?
                yield &ignored
                return
            }
            self = .null
            defer { self = .list(list) }
            yield &list[existing: position]
        }
    }
}

extension Value.List {
    fileprivate subscript(existing position: Int) -> Value? {
        get { self[position] }
        _modify {
            var element: Value? = self[position]
            self[position] = .null
            defer {
                if let element { self[position] = element } else { remove(at: position) }
            }
            yield &element
        }
    }
}
