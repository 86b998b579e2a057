import PlainValue

/// `. Did you mean 'x'?`, or the names there are, or nothing.
package func suggestion(for name: String, among candidates: [String], noun: String) -> String {
    if let near = nearestName(to: name, among: candidates) { return ". Did you mean '\(near)'?" }
    guard !candidates.isEmpty else { return "" }
    let shown = candidates.map(Name.init).sorted().prefix(8).map(\.text).joined(separator: ", ")
    return "; its \(noun) are \(shown)\(candidates.count > 8 ? ", …" : "")"
}
