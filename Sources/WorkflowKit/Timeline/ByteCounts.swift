package import PlainValue
package import Workflow

extension Value {
    /// About how many bytes it takes.
    package var byteCount: Int {
        if case .string(let text) = self { return text.utf8.count }
        return (try? encoded().byteCount) ?? 0
    }
}

extension TreeSnapshot {
    /// About how many bytes it takes.
    package var byteCount: Int { root.byteCount }
}

extension TreeSnapshot.Node {
    fileprivate var byteCount: Int {
        var bytes = 200
        bytes += state?.value.byteCount ?? 0
        bytes += inputs?.byteCount ?? 0
        return children.reduce(bytes) { $0 + $1.byteCount }
    }
}
