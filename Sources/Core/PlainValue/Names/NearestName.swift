/// The candidate that `name` was most likely meant to be; `nil` if none is near enough.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    // Cut, since the time grows with the product of the lengths, and names come from outside.
    let name = Array(name.utf8.prefix(64))
    let limit = max(1, min(3, name.count / 3))
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(name, Array(candidate.utf8.prefix(64)))
        guard distance <= limit, distance < max(name.count, 1) else { continue }
        // Of equally near names the first in order wins, whatever the order of a dictionary.
        if let best, (best.distance, best.name) <= (distance, candidate) { continue }
        best = (candidate, distance)
    }
    return best?.name
}

/// The phrase `. Did you mean 'x'?`; empty if no name is near enough.
package func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String {
    nearestName(to: name, among: candidates).map { ". Did you mean '\($0)'?" } ?? ""
}

/// The number of insertions, removals, replacements and swaps of neighbours between two names.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
        var current = [i]
        for j in 1...b.count {
            let replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            var cost = min(replaced, previous[j] + 1, current[j - 1] + 1)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                cost = min(cost, beforePrevious[j - 2] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count]
}
