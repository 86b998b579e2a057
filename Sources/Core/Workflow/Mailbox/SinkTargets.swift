/// The sinks that a node has made, one for each type of value. Nearly every node has one or two, so
/// they are searched in order.
@usableFromInline
struct SinkTargets {
    @usableFromInline var first: (type: ObjectIdentifier, target: AnySinkTarget)?
    @usableFromInline var rest: [(type: ObjectIdentifier, target: AnySinkTarget)] = []

    @inlinable
    init() {}

    @inlinable
    func find(_ type: ObjectIdentifier) -> AnySinkTarget? {
        if let first, first.type == type { return first.target }
        for entry in rest where entry.type == type { return entry.target }
        return nil
    }

    @inlinable
    mutating func insert(_ target: AnySinkTarget, for type: ObjectIdentifier) {
        if first == nil { first = (type, target) } else { rest.append((type, target)) }
    }

    mutating func end() {
        if var target = first.take()?.target { Self.end(&target) }
        for place in rest.indices { Self.end(&rest[place].target) }
        rest = []
    }

    private static func end(_ target: inout AnySinkTarget) {
        if !isKnownUniquelyReferenced(&target) { target.end() }
    }
}
