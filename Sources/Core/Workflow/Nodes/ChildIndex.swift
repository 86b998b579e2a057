import PlainValue

/// Finds a child among many by its identity. Its owner retains the children while they are in it.
struct ChildIndex {
    private var children = ContiguousArray<Unmanaged<AnyNode>>()
    private var places: PlaceIndex

    init(minimumCapacity: Int) {
        places = PlaceIndex(minimumCapacity: minimumCapacity)
        children.reserveCapacity(minimumCapacity)
    }

    /// The hash of a key. Types are only compared, since most siblings have one type.
    static func hash(_ key: String) -> Int {
        var hasher = Hasher()
        key.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    func find(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String, hash: Int
    ) -> AnyNode? {
        places.find(hash: hash) { place in
            children[place]._withUnsafeGuaranteedRef { $0.matches(swiftType, type, key) }
        }.map { children[$0].takeUnretainedValue() }
    }

    mutating func insert(_ child: AnyNode, hash: Int) {
        children.append(.passUnretained(child))
        places.append(hash: hash)
        assert(places.hashes.count == children.count)
    }
}
