extension Value {
    /// Values in order, either held one by one or read from an encoding on demand.
    ///
    /// Changing a list that reads from an encoding first takes its elements out, one level deep.
    public struct List: Sendable {
        enum Storage {
            case owned([Value])
            case encoded(EncodedView)
        }

        var storage: Storage

        init(_ view: EncodedView) {
            storage = .encoded(view)
        }

        /// Makes an empty list.
        public init() {
            storage = .owned([])
        }

        /// Makes a list of the elements of a sequence.
        ///
        /// ```swift
        /// let sizes = Value.List((1...3).map { .int($0 * 10) })  // { 10, 20, 30 }
        /// ```
        public init(_ elements: some Sequence<Value>) {
            storage = .owned(Array(elements))
        }

        /// Makes a list that holds the elements of an array, without copying them.
        public init(_ elements: [Value]) {
            storage = .owned(elements)
        }

        mutating func mutate<Result>(_ body: (inout [Value]) -> Result) -> Result {
            var elements = takeElements()
            defer { storage = .owned(elements) }
            return body(&elements)
        }

        /// Moves the elements out, so that the array is not copied when nobody shares it.
        mutating func takeElements() -> [Value] {
            guard case .owned(let elements) = storage else { return Array(self) }
            storage = .owned([])
            return elements
        }
    }
}

extension Value.List: ExpressibleByArrayLiteral {
    /// Makes a list of the given elements.
    public init(arrayLiteral elements: Value...) { self.init(elements) }
}

extension Value.List {
    /// True if two lists share one storage. Takes constant time; false proves nothing.
    ///
    /// ```swift
    /// let copy = list
    /// print(copy.isIdentical(to: list))  // true until one of them changes
    /// ```
    public func isIdentical(to other: Value.List) -> Bool {
        switch (storage, other.storage) {
        case (.owned(let left), .owned(let right)): left.sharesStorage(with: right)
        case (.encoded(let left), .encoded(let right)): left.isIdentical(to: right)
        default: false
        }
    }
}

extension Value.List: Hashable {
    /// Compares the elements in order.
    public static func == (left: Value.List, right: Value.List) -> Bool {
        switch (left.storage, right.storage) {
        case (.encoded(let left), .encoded(let right)): left.hasSameBytes(as: right)
        case (.owned(let left), .owned(let right)): left == right
        default: left.count == right.count && left.elementsEqual(right)
        }
    }

    /// Feeds the elements to a hasher; equal lists feed the same, however they are stored.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hash(into: &hasher) }
    }
}
