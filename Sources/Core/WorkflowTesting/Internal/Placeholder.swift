/// A value of a type for a test after a failure: zero, nothing or empty; `nil` for other types.
func placeholder(for type: any Any.Type) -> Any? {
    func zero<T: AdditiveArithmetic>(_: T.Type) -> T { .zero }
    func empty<T: ExpressibleByArrayLiteral>(_: T.Type) -> T { [] }
    func empty<T: ExpressibleByDictionaryLiteral>(_: T.Type) -> T { [:] }
    func nothing<T: ExpressibleByNilLiteral>(_: T.Type) -> T { nil }
    return switch type {
    case is Bool.Type: false
    case is String.Type: ""
    case is Void.Type: ()
    case let type as any AdditiveArithmetic.Type: zero(type)
    case let type as any ExpressibleByArrayLiteral.Type: empty(type)
    case let type as any ExpressibleByDictionaryLiteral.Type: empty(type)
    case let type as any ExpressibleByNilLiteral.Type: nothing(type)
    default: nil
    }
}
