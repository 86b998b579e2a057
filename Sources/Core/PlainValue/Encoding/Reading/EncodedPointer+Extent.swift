// A look inside is taken only when the value has bytes enough for that.
extension EncodedPointer {
    /// True if more containers are nested here than a limit, the outermost included.
    func isNested(deeperThan limit: Int) -> Bool {
        guard isContainer else { return false }
        if limit <= 0 { return true }
        if size / Format.minimumContainerBytes + 1 <= limit { return false }
        var isDeeper = false
        forEachChild { isDeeper = isDeeper || $0.isNested(deeperThan: limit - 1) }
        return isDeeper
    }

    /// True if there are more values here than a limit, the outermost included.
    func holdsMoreValues(than limit: Int) -> Bool {
        size / Format.minimumChildBytes + 1 > limit && valueCount > limit
    }

    private var valueCount: Int {
        var count = 1
        forEachChild { count += $0.valueCount }
        return count
    }

    private func forEachChild(_ body: (EncodedPointer) -> Void) {
        guard isContainer else { return }
        var child = firstChild
        for _ in 0..<count {
            if tag == Tag.record { child = child.advanced(by: child.size) }
            body(child)
            child = child.advanced(by: child.size)
        }
    }
}
