/// The name of a type without its module. Not inlined: the optimiser's answer for private types
/// differs from the runtime's.
@inline(never)
func typeName(of type: any Any.Type) -> String { _typeName(type, qualified: false) }
