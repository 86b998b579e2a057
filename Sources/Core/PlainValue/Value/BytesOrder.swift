import LibC

/// The order of two runs of bytes: negative, zero or positive. A prefix comes first.
@inline(__always)
func order(of left: UnsafeRawBufferPointer, to right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
        let result = memcmp(leftBase, rightBase, shared)
        if result != 0 { return Int(result) }
    }
    return left.count - right.count
}
