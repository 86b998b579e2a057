extension Value.List: RandomAccessCollection, MutableCollection {
    /// The position of the first element: 0.
    public var startIndex: Int { 0 }

    /// The position past the last element.
    public var endIndex: Int { count }

    /// The number of elements.
    public var count: Int {
        switch storage {
        case .owned(let elements): elements.count
        case .encoded(let view): view.count
        }
    }

    /// The element at a position.
    ///
    /// ```swift
    /// list[0] = "oats"
    /// ```
    ///
    /// - Precondition: The position is one of `indices`.
    public subscript(position: Int) -> Value {
        get {
            switch storage {
            case .owned(let elements): return elements[position]
            case .encoded(let view): return view.element(at: position)
            }
        }
        _modify {
            var elements = takeElements()
            defer { storage = .owned(elements) }
            yield &elements[position]
        }
    }

    /// Starts reading the elements in order.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Reads the elements of a list in order.
    public struct Iterator: IteratorProtocol {
        private var elements: IndexingIterator<[Value]>
        private var encoded: EncodedCursor?
        private var encodedLeft = 0

        init(_ list: Value.List) {
            switch list.storage {
            case .owned(let elements):
                self.elements = elements.makeIterator()
            case .encoded(let view):
                elements = [].makeIterator()
                encoded = view.children
                encodedLeft = view.count
            }
        }

        /// The next element, or nil after the last.
        public mutating func next() -> Value? {
            if encodedLeft > 0 {
                encodedLeft -= 1
                return encoded?.nextValue()
            }
            return elements.next()
        }
    }
}

extension Value.List: RangeReplaceableCollection {
    /// Replaces the elements at a range of positions by others.
    ///
    /// ```swift
    /// list.replaceSubrange(1..<2, with: ["oats", "salt"])
    /// ```
    public mutating func replaceSubrange(
        _ range: Range<Int>, with elements: some Collection<Value>
    ) {
        mutate { $0.replaceSubrange(range, with: elements) }
    }

    /// Adds an element at the end.
    public mutating func append(_ element: Value) {
        mutate { $0.append(element) }
    }

    /// Makes room for a number of elements in all.
    public mutating func reserveCapacity(_ capacity: Int) {
        mutate { $0.reserveCapacity(capacity) }
    }
}
