/// What the runtime has found out about one workflow type: how its inputs and states compare.
///
/// Looking up a conformance at run time is slow, so it is done once a tree and type.
@usableFromInline
final class NodeTraits<W: Workflow> {
    @usableFromInline let sameInputs: ((W, W) -> Bool)?
    @usableFromInline let sameState: ((W.State, W.State) -> Bool)?

    @inlinable
    init() {
        sameInputs = comparison(of: W.self)
        sameState = comparison(of: W.State.self)
    }
}

/// A comparison for `T`: `==` where `T` is `Equatable`, bytes for plain old data, otherwise none.
@inlinable
func comparison<T>(of type: T.Type) -> ((T, T) -> Bool)? {
    if let equatable = T.self as? any Equatable.Type {
        return equatableComparison(equatable, as: T.self)
    }
    if MemoryLayout<T>.size == 0 { return { _, _ in true } }
    // Padding bytes may differ between equal values; that costs a render, never a missed one.
    return _isPOD(T.self) ? { sameBytes($0, $1) } : nil
}

@usableFromInline
func equatableComparison<E: Equatable, T>(_: E.Type, as: T.Type) -> ((T, T) -> Bool)? {
    // `E` is `T`, only known as equatable here, so the cast back is the identity.
    guard let equal = { (a: E, b: E) in a == b } as? (T, T) -> Bool else { return nil }
    return equal
}

@inlinable
func sameBytes<T>(_ a: T, _ b: T) -> Bool {
    withUnsafeBytes(of: a) { a in
        withUnsafeBytes(of: b) { b in
            for place in a.indices where a[place] != b[place] { return false }
            return true
        }
    }
}
