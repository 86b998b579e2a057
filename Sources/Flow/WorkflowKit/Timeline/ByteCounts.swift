import LibC
package import PlainValue
import Workflow

extension Value {
    /// The approximate number of bytes in memory; 0 for a value that cannot be encoded.
    package var byteCount: Int {
        if case .string(let text) = self { return text.utf8.count }
        return (try? encoded().byteCount) ?? 0
    }
}

extension TreeSnapshot.Node {
    /// The number of nodes: this node and its descendants.
    var count: Int {
        // Most nodes are leaves. They are counted without a call, which would copy them.
        children.indices.reduce(1) { count, index in
            count + (children[index].children.isEmpty ? 1 : children[index].count)
        }
    }

    /// The approximate number of bytes in memory, without storage shared with an earlier node.
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
    /// True if the element at an index is known to be a copy of another array's: their bytes are
    /// equal, and so are the objects that they refer to.
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
