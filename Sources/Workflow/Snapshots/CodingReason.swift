/// What an error says; of one of coding what is wrong and where, without the names of its types.
func reason(of error: any Error) -> String {
    let context: (text: String, path: [any CodingKey])
    switch error {
    case DecodingError.typeMismatch(_, let known), DecodingError.valueNotFound(_, let known),
        DecodingError.keyNotFound(_, let known), DecodingError.dataCorrupted(let known):
        context = (known.debugDescription, known.codingPath)
    case EncodingError.invalidValue(_, let known):
        context = (known.debugDescription, known.codingPath)
    default: return "\(error)"
    }
    guard !context.path.isEmpty else { return context.text }
    return "\(context.text) at \(context.path.map(\.stringValue).joined(separator: "."))"
}
