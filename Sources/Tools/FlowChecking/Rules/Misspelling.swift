import PlainValue

/// The name of which another is surely a misspelling: a letter or two off, not the next number.
func misspelling(_ name: String, of candidates: some Sequence<String>) -> String? {
    guard name.utf8.count > 2 else { return nil }
    let letters = name.filter { !$0.isNumber }
    let others = candidates.filter { candidate in
        candidate != name && candidate.utf8.count > 2
            && candidate.filter { !$0.isNumber } != letters
    }
    return nearestName(to: name, among: others.sorted())
}
