import PlainValue

/// The text `. Did you mean 'x'?`, a list of the known names, or an empty text.
package func suggestion(for name: String, among candidates: [String], noun: String) -> String {
    let near = didYouMean(name, among: candidates)
    guard near.isEmpty, !candidates.isEmpty else { return near }
    let shown = candidates.map(Name.init).sorted().prefix(8).map(\.text).joined(separator: ", ")
    return "; its \(noun) are \(shown)\(candidates.count > 8 ? ", …" : "")"
}
