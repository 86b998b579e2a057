import LibC
package import PlainValue
import Workflow

extension Value {
    /// About how many bytes it takes.
    package var byteCount: Int {
        if case .string(let text) = self { return text.utf8.count }
        return (try? encoded().byteCount) ?? 0
    }
}

extension TreeSnapshot.Node {
    /// This node and all below it.
    var count: Int {
        // Most nodes have none below them, and need not be copied for being asked.
        children.indices.reduce(1) { count, index in
            count + (children[index].children.isEmpty ? 1 : children[index].count)
        }
    }

    /// About how many bytes it takes beside those that it shares with an earlier one.
    func byteCount(since earlier: Self?) -> Int {
        var bytes = Self.ownByteCount
        bytes += state?.value.byteCount(since: earlier?.state?.value) ?? 0
        bytes += inputs?.byteCount(since: earlier?.inputs) ?? 0
        let before = earlier?.children ?? []
        if children.sharesStorage(with: before) { return bytes }
        for index in children.indices {
            if children.isCopied(at: index, from: before) {
                bytes += Self.ownByteCount
            } else {
                let before = index < before.count ? before[index] : nil
                bytes += children[index].byteCount(since: before)
            }
        }
        return bytes
    }

    private static let ownByteCount = 200
}

extension Array {
    /// Whether the element at a place is known to be a copy of the other's: its bytes are the same, and so all that they
    /// refer to.
    fileprivate func isCopied(at index: Int, from other: Self) -> Bool {
        guard index < count, index < other.count else { return false }
        return withUnsafeBytes { bytes in
            other.withUnsafeBytes { others in
                let (start, size) = (
                    index * MemoryLayout<Element>.stride, MemoryLayout<Element>.size
                )
                guard let left = bytes.baseAddress, let right = others.baseAddress else {
                    return false
                }
                return memcmp(left + start, right + start, size) == 0
            }
        }
    }
}

extension Value {
    fileprivate func byteCount(since earlier: Value?) -> Int {
        earlier.map(isIdentical) == true ? 0 : byteCount
    }
}
