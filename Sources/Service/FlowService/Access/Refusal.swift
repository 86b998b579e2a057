/// The reason why a token, a line of a file of tokens, or a key is refused.
struct Refusal: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
