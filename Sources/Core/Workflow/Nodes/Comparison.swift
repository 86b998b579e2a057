/// The comparison of values of one type: `==` where the type is `Equatable`, bytes where it is
/// plain old data, and field by field where each field can be compared. Other values do not
/// compare, nor do those that may change unseen; see ``FieldComparison/hidesChanges(_:)``.
@usableFromInline
enum Comparison<T> {
    case equality(any Equatable.Type)
    case bytes
    case fields([FieldComparison])
    case none

    @inlinable
    init() {
        if FieldComparison.hidesChanges(T.self) {
            self = .none
        } else if let equatable = T.self as? any Equatable.Type {
            self = .equality(equatable)
        } else if _isPOD(T.self) {
            // Padding bytes may differ between equal values; that costs a render, and misses none.
            self = .bytes
        } else {
            self = FieldComparison.all(of: T.self).map { .fields($0) } ?? .none
        }
    }

    var isKnown: Bool { if case .none = self { false } else { true } }

    /// True if two values are known to be equal. Compares in place: a copy counts references.
    @inlinable
    func areSame(_ a: UnsafePointer<T>, _ b: UnsafePointer<T>) -> Bool {
        switch self {
        case .equality(let type): areEqual(UnsafeRawPointer(a), UnsafeRawPointer(b), as: type)
        case .bytes: haveSameBytes(a, b, count: MemoryLayout<T>.size)
        case .fields(let fields): FieldComparison.areSame(a, b, fields)
        case .none: false
        }
    }
}

@inlinable
func areEqual<E: Equatable>(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, as type: E.Type) -> Bool {
    // `inout` guarantees exclusive access, so the values need not be copied.
    func compare(_ a: inout E, _ b: inout E) -> Bool { a == b }
    return compare(
        &UnsafeMutableRawPointer(mutating: a).assumingMemoryBound(to: type).pointee,
        &UnsafeMutableRawPointer(mutating: b).assumingMemoryBound(to: type).pointee)
}

@inlinable
func haveSameBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    for place in 0..<count {
        let (a, b) = (
            a.load(fromByteOffset: place, as: UInt8.self),
            b.load(fromByteOffset: place, as: UInt8.self)
        )
        if a != b { return false }
    }
    return true
}
