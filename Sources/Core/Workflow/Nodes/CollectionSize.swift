// The fields of a type come from a part of Swift's runtime that is not public on Apple's systems.
#if !canImport(Darwin)
    @_spi(Reflection) import Swift
#endif

/// A collection among the stored properties of a state. It is large if copying it is slow.
@usableFromInline
struct CollectionSize {
    private static let most = 1000

    private let offset: Int
    private let count: (UnsafeRawPointer) -> Int

    /// The collections of a type: the type itself, or those among its stored properties and theirs.
    @usableFromInline
    static func all<T>(of type: T.Type) -> [CollectionSize] {
        var found: [CollectionSize] = []
        collect(of: type, at: 0, into: &found)
        return found
    }

    private static func collect<T>(
        of type: T.Type, at offset: Int, into found: inout [CollectionSize]
    ) {
        if let counted = type as? any Counted.Type {
            return found.append(CollectionSize(offset: offset, count: counted.count(at:)))
        }
        #if !canImport(Darwin)
            guard FieldComparison.hasFields(type) else { return }
            // Values nest in structs, which cannot contain themselves.
            _forEachField(of: type) { _, inner, field, _ in
                func collect<F>(_ field: F.Type) {
                    Self.collect(of: field, at: offset + inner, into: &found)
                }
                _openExistential(field, do: collect)
                return true
            }
        #endif
    }

    func isLarge(_ value: UnsafeRawPointer) -> Bool { count(value + offset) > Self.most }
}

/// A collection that is copied as a whole by a change while others hold it, too.
private protocol Counted {
    var size: Int { get }
}

extension Counted {
    fileprivate static func count(at place: UnsafeRawPointer) -> Int {
        // Sound because a size is made from this type, at the offset that the runtime gives for it.
        place.assumingMemoryBound(to: Self.self).pointee.size
    }
}

extension Array: Counted { fileprivate var size: Int { count } }
extension ContiguousArray: Counted { fileprivate var size: Int { count } }
extension Dictionary: Counted { fileprivate var size: Int { count } }
extension Set: Counted { fileprivate var size: Int { count } }
extension String: Counted { fileprivate var size: Int { utf8.count } }
