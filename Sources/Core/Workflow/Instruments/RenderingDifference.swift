/// Finds where two renderings of one type differ. It cannot look into functions.
enum RenderingDifference {
    /// Sentences such as `.rows[2].title "a", then "b"`.
    static func between(_ first: Any, _ second: Any) -> [String] {
        between(first, second, at: "", depth: 0)
    }

    private static func between(
        _ first: Any, _ second: Any, at place: String, depth: Int
    ) -> [String] {
        if let first = first as? any Equatable, areEqual(first, second) { return [] }
        let (firstParts, secondParts) = (Mirror(reflecting: first), Mirror(reflecting: second))
        if firstParts.displayStyle == .class, first as AnyObject === second as AnyObject {
            return []
        }
        guard depth < 32 else { return [] }
        if firstParts.children.isEmpty, secondParts.children.isEmpty {
            let isComparable = first is any Equatable || firstParts.displayStyle == .enum
            guard isComparable, "\(first)" != "\(second)" else { return [] }
            return [sentence(first, second, at: place)]
        }
        guard firstParts.children.count == secondParts.children.count else {
            return [sentence(first, second, at: place)]
        }
        let isOrdered = firstParts.displayStyle == .collection
        return zip(firstParts.children, secondParts.children).enumerated().flatMap { index, pair in
            let label = isOrdered ? "[\(index)]" : pair.0.label.map { ".\($0)" } ?? ""
            guard pair.0.label == pair.1.label else { return [sentence(first, second, at: place)] }
            return between(pair.0.value, pair.1.value, at: place + label, depth: depth + 1)
        }
    }

    private static func areEqual<T: Equatable>(_ first: T, _ second: Any) -> Bool {
        (second as? T) == first
    }

    private static func sentence(_ first: Any, _ second: Any, at place: String) -> String {
        "\(place.isEmpty ? "" : place + " ")\(text(first)), then \(text(second))"
    }

    private static func text(_ value: Any) -> String {
        value is String ? String(reflecting: value) : String(describing: value)
    }
}
