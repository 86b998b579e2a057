/// The name of a type without its module.
///
/// Not inlined, because the optimiser's own answer differs from the runtime's for private types: it
/// shows a discriminator of the file.
@inline(never)
func typeName(of type: any Any.Type) -> String { _typeName(type, qualified: false) }
