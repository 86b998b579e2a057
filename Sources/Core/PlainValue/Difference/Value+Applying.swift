extension Value {
    /// This value with changes made to it, one after the other.
    ///
    /// Applying the ``differences(to:)`` of another value gives exactly that value.
    ///
    /// ```swift
    /// let changes = ([1] as Value).differences(to: [2])
    /// _ = try ([4] as Value).applying(changes)  // throws [1] is not what the change was made from
    /// ```
    ///
    /// - Throws: A ``ValueChangeError`` for the first change that does not fit.
    public func applying(_ changes: some Sequence<ValueChange>) throws(ValueChangeError) -> Value {
        var value = self
        for change in changes {
            if let code = value.apply(change.kind, at: change.path.components[...]) {
                throw ValueChangeError(code: code, path: change.path)
            }
        }
        return value
    }

    /// Makes one change in place. Returns the reason if that is not possible.
    private mutating func apply(
        _ kind: ValueChange.Kind, at path: ArraySlice<ValuePath.Component>
    ) -> ValueChangeError.Code? {
        guard let step = path.first else {
            guard case .changed(let old, let new) = kind else { return .noSuchPlace }
            guard self == old else { return .notTheOldValue }
            self = new
            return nil
        }
        if path.count == 1 {
            switch kind {
            case .added(let new): return add(new, at: step)
            case .removed(let old): return remove(old, at: step)
            case .changed: break
            }
        }
        guard self[step] != nil else { return .noSuchPlace }
        return self[step]?.apply(kind, at: path.dropFirst())
    }

    private mutating func add(
        _ new: Value, at step: ValuePath.Component
    ) -> ValueChangeError.Code? {
        switch (self, step) {
        case (.record(var record), .key(let key)):
            guard record.index(forKey: key) == nil else { return .alreadyThere }
            // This value must not hold the record while it changes, or the change would copy it.
            self = .null
            record[key] = new
            self = .record(record)
        case (.list(var list), .index(let index)) where (1...list.count + 1).contains(index):
            self = .null
            list.insert(new, at: index - 1)
            self = .list(list)
        default:
            return .noSuchPlace
        }
        return nil
    }

    private mutating func remove(
        _ old: Value, at step: ValuePath.Component
    ) -> ValueChangeError.Code? {
        guard let present = self[step] else { return .noSuchPlace }
        guard present == old else { return .notTheOldValue }
        self[step] = nil
        return nil
    }
}
