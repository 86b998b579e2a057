import LibC

// The fields of a type come from a part of Swift's runtime that is not public on Apple's systems.
#if !canImport(Darwin)
    @_spi(Reflection) import Swift
#endif

/// The comparison of one stored property of a struct or tuple. The runtime is asked once for each
/// type, when its first node is made.
@usableFromInline
struct FieldComparison {
    typealias Body = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    private let offset: Int
    private let body: Body

    /// The comparisons of all stored properties. `nil` if the type is not a struct or tuple, or has
    /// a property that cannot be compared: a closure, a reference or an existential.
    @usableFromInline
    static func all<T>(of type: T.Type) -> [FieldComparison]? { all(of: type, within: []) }

    private static func all<T>(
        of type: T.Type, within outer: [any Any.Type]
    ) -> [FieldComparison]? {
        #if canImport(Darwin)
            return nil
        #else
            guard hasFields(type) else { return nil }
            // A type that contains itself through an array.
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

    @usableFromInline
    static func areSame(
        _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ fields: [FieldComparison]
    ) -> Bool {
        fields.allSatisfy { $0.body(a + $0.offset, b + $0.offset) }
    }

    #if !canImport(Darwin)
        /// True if the runtime can be asked for the fields of a type. Other kinds, such as an enum,
        /// have none, and an existential must not be asked.
        static func hasFields<T>(_ type: T.Type) -> Bool {
            [.struct, .tuple].contains(kind(of: type))
        }

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

    fileprivate static func comparison<T>(
        of type: T.Type, within outer: [any Any.Type]
    ) -> Body? {
        if hidesChanges(type, within: outer) { return nil }
        if type is AnyObject.Type, !(type is AnyKeyPath.Type) { return nil }
        var parts: Body?
        if let whole = type as? any MadeOfParts.Type {
            parts = whole.comparison(within: outer)
            if parts == nil || whole.isBuffer { return parts }
        }
        if let equatable = type as? any Equatable.Type {
            return { areEqual($0, $1, as: equatable) }
        }
        if _isPOD(type) { return { haveSameBytes($0, $1, count: MemoryLayout<T>.size) } }
        if let parts { return parts }
        return all(of: type, within: outer).map { fields in { areSame($0, $1, fields) } }
    }
}

extension FieldComparison {
    /// True if values of a type may change although `==` finds them equal to their earlier selves.
    /// That holds for an instance of a class, and for a type with a stored property of an
    /// `Equatable` class, whose `==` the compiler may have made.
    @usableFromInline
    static func hidesChanges<T>(_ type: T.Type) -> Bool { hidesChanges(type, within: []) }

    fileprivate static func hidesChanges<T>(
        _ type: T.Type, within outer: [any Any.Type]
    ) -> Bool {
        if _isPOD(type) || type == String.self { return false }
        // The target of a reference, also a weak one, may change while the reference stays equal.
        if type is AnyObject.Type {
            return type is any Equatable.Type && !(type is AnyKeyPath.Type)
        }
        func hidesChanges<Part>(_ part: Part.Type) -> Bool {
            Self.hidesChanges(part, within: outer + [type])
        }
        if let whole = type as? any Holding.Type {
            return whole.held.contains { _openExistential($0, do: hidesChanges) }
        }
        #if canImport(Darwin)
            return false
        #else
            // Types of the standard library and Foundation are values, whatever they are made of.
            let name = _typeName(type, qualified: true)
            if name.hasPrefix("Swift.") || name.hasPrefix("Foundation") { return false }
            if !hasFields(type) || outer.contains(where: { $0 == type }) { return false }
            var hides = false
            _forEachField(of: type) { _, _, field, _ in
                hides = _openExistential(field, do: hidesChanges)
                return !hides
            }
            return hides
        #endif
    }

    /// The first stored property that does not compare, such as `onTap, a () -> ()`; `nil` if none.
    static func incomparableField<T>(of type: T.Type) -> String? {
        var found: String?
        #if !canImport(Darwin)
            guard hasFields(type) else { return nil }
            _forEachField(of: type) { name, _, field, _ in
                guard comparison(ofAny: field, within: [type]) == nil else { return true }
                found = "\(String(cString: name)), a \(typeName(of: field))"
                return false
            }
        #endif
        return found
    }
}

private struct Boxed<T> { var value: T }

private protocol MadeOfParts {
    static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body?
    /// True if its parts lie in one buffer and are plain old data.
    static var isBuffer: Bool { get }
}

extension Optional: MadeOfParts {
    fileprivate static var isBuffer: Bool { false }

    fileprivate static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body? {
        guard let same = FieldComparison.comparison(of: Wrapped.self, within: outer) else {
            return nil
        }
        return { a, b in
            // Sound because this comparison is only used for values of this type.
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
    fileprivate static var isBuffer: Bool { _isPOD(Element.self) }

    fileprivate static func comparison(within outer: [any Any.Type]) -> FieldComparison.Body? {
        guard let same = FieldComparison.comparison(of: Element.self, within: outer) else {
            return nil
        }
        return { a, b in
            // Sound because this comparison is only used for values of this type.
            let (a, b) = (
                a.assumingMemoryBound(to: Self.self).pointee,
                b.assumingMemoryBound(to: Self.self).pointee
            )
            return a.count == b.count
                && a.withUnsafeBufferPointer { a in
                    b.withUnsafeBufferPointer { b in
                        guard let first = a.baseAddress, let second = b.baseAddress,
                            first != second
                        else { return true }
                        // Values with the same bytes are the same, whatever `==` says.
                        let length = a.count * MemoryLayout<Element>.stride
                        if isBuffer, memcmp(first, second, length) == 0 { return true }
                        return a.indices.allSatisfy { same(first + $0, second + $0) }
                    }
                }
        }
    }
}

/// A type of the standard library whose `==` compares values of other types.
private protocol Holding {
    /// The other types, of which any may change although its values are equal.
    static var held: [any Any.Type] { get }
}

extension Optional: Holding { fileprivate static var held: [any Any.Type] { [Wrapped.self] } }
extension Array: Holding { fileprivate static var held: [any Any.Type] { [Element.self] } }
extension ContiguousArray: Holding {
    fileprivate static var held: [any Any.Type] { [Element.self] }
}
extension Set: Holding { fileprivate static var held: [any Any.Type] { [Element.self] } }
extension Dictionary: Holding {
    fileprivate static var held: [any Any.Type] { [Key.self, Value.self] }
}
