// The fields of a type are a part of Swift's runtime that its interface on Apple's systems does not show.
#if !canImport(Darwin)
    @_spi(Reflection) import Swift
#endif

/// How one stored property of a struct or tuple compares.
///
/// What the runtime says about a type is asked once, when the first node of the type is made.
@usableFromInline
struct FieldComparison {
    typealias Body = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    private let offset: Int
    private let body: Body

    /// The comparisons of all stored properties; `nil` if the type is no struct or tuple, or has one that cannot be
    /// compared: a closure, a reference, an existential.
    @usableFromInline
    static func all<T>(of type: T.Type) -> [FieldComparison]? { all(of: type, within: []) }

    /// The comparisons of all stored properties of a type that is found within others.
    private static func all<T>(
        of type: T.Type, within outer: [any Any.Type]
    ) -> [FieldComparison]? {
        #if canImport(Darwin)
            return nil
        #else
            // Others have no fields to ask for, such as an enum, or must not be asked at all, such as an existential.
            guard [.struct, .tuple].contains(kind(of: type)) else { return nil }
            // A type that contains itself, by an array.
            if outer.contains(where: { $0 == type }) { return nil }
            var fields: [FieldComparison] = []
            let isComplete = _forEachField(of: type) { _, offset, field, _ in
                guard let body = comparison(ofAny: field, within: outer + [type])
                else { return false }
                fields.append(FieldComparison(offset: offset, body: body))
                return true
            }
            return isComplete ? fields : nil
        #endif
    }

    /// Whether all fields of two values are equal.
    @usableFromInline
    static func areSame(
        _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ fields: [FieldComparison]
    ) -> Bool {
        fields.allSatisfy { $0.body(a + $0.offset, b + $0.offset) }
    }

    #if !canImport(Darwin)
        /// What a type is, as a field of it is told.
        private static func kind<T>(of type: T.Type) -> _MetadataKind? {
            var found: _MetadataKind?
            _forEachField(of: Boxed<T>.self) { _, _, _, kind in
                found = kind
                return true
            }
            return found
        }
    #endif

    private static func comparison(
        ofAny type: any Any.Type, within outer: [any Any.Type]
    ) -> Body? {
        func comparison<F>(_ type: F.Type) -> Body? { Self.comparison(of: type, within: outer) }
        return _openExistential(type, do: comparison)
    }

    /// How values of one type compare; `nil` if they cannot be.
    fileprivate static func comparison<T>(
        of type: T.Type, within outer: [any Any.Type]
    ) -> Body? {
        // What a reference leads to may change while it stays the same. Weak ones are such, too.
        if type is AnyObject.Type { return nil }
        var parts: Body?
        if let whole = type as? any MadeOfParts.Type {
            parts = whole.comparison(within: outer)
            if parts == nil { return nil }
        }
        if let equatable = type as? any Equatable.Type {
            return { areEqual($0, $1, as: equatable) }
        }
        if _isPOD(type) { return { haveSameBytes($0, $1, count: MemoryLayout<T>.size) } }
        if let parts { return parts }
        return all(of: type, within: outer).map { fields in { areSame($0, $1, fields) } }
    }
}

/// A struct with a field of a type.
private struct Boxed<T> { var value: T }

/// A type that can be compared if what it is made of can.
private protocol MadeOfParts {
    /// How its values compare, if the parts can be compared.
    static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body?
}

extension Optional: MadeOfParts {
    fileprivate static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body? {
        guard let same = FieldComparison.comparison(of: Wrapped.self, within: outer) else {
            return nil
        }
        return { a, b in
            // Sound because the comparison is asked for values of this type only.
            let (a, b) = (
                a.assumingMemoryBound(to: Self.self).pointee,
                b.assumingMemoryBound(to: Self.self).pointee
            )
            guard let a, let b else { return a == nil && b == nil }
            return withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { same(a, $0) } }
        }
    }
}

extension Array: MadeOfParts {
    fileprivate static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body? {
        guard let same = FieldComparison.comparison(of: Element.self, within: outer) else {
            return nil
        }
        return { a, b in
            // Sound because the comparison is asked for values of this type only.
            let (a, b) = (
                a.assumingMemoryBound(to: Self.self).pointee,
                b.assumingMemoryBound(to: Self.self).pointee
            )
            return a.count == b.count
                && a.withUnsafeBufferPointer { a in
                    b.withUnsafeBufferPointer { b in
                        a.baseAddress == b.baseAddress
                            || a.indices.allSatisfy { place in
                                guard let a = a.baseAddress, let b = b.baseAddress else {
                                    return true
                                }
                                return same(a + place, b + place)
                            }
                    }
                }
        }
    }
}
