extension EncodingWriter {
    /// Writes a value; an error has the path of the fault.
    mutating func write(_ value: Value) throws(ValueError) {
        switch value {
        case .null: writeNull()
        case .bool(let bool): write(bool)
        case .int(let int): write(int)
        case .double(let double): try write(double)
        case .string(let string): try write(string)
        case .list(let list):
            switch list.storage {
            case .owned(let elements): try write(elements)
            case .encoded(let view): try splice(view)
            }
        case .record(let record):
            switch record.storage {
            case .owned(let entries): try write(entries)
            case .encoded(let view): try splice(view)
            }
        }
    }

    private mutating func write(_ elements: [Value]) throws(ValueError) {
        let container = try begin(Tag.list)
        for index in elements.indices {
            do {
                try addChild(of: container)
                try write(elements[index])
            } catch {
                throw error.inside(.index(index + 1))
            }
        }
        end(container)
    }

    private mutating func write(_ entries: [Value.Record.Element]) throws(ValueError) {
        let container = try begin(Tag.record)
        for index in entries.indices {
            do {
                try addChild(of: container)
                try write(entries[index].key)
                try write(entries[index].value)
            } catch {
                throw error.inside(.key(entries[index].key))
            }
        }
        end(container)
    }

    private mutating func splice(_ view: EncodedView) throws(ValueError) {
        let depth = depthToSpare
        guard !view.withPointer({ $0.isNested(deeperThan: depth) }) else {
            throw ValueError(.tooDeep(limit: limits.depth))
        }
        try check(byteCount: buffer.count + view.withPointer { $0.size })
        view.withPointer { append(encoded: $0.bytes) }
    }
}

extension ValueError {
    func inside(_ component: ValuePath.Component) -> ValueError {
        var error = self
        error.path.prepend(component)
        return error
    }
}
