extension EncodedPointer {
    /// True if more containers are nested here than a limit, the outermost included.
    ///
    /// Looks inside only when the value has bytes enough for that.
    func isNested(deeperThan limit: Int) -> Bool {
        guard isContainer else { return false }
        if limit <= 0 { return true }
        if size / Format.minimumContainerBytes + 1 <= limit { return false }
        var isDeeper = false
        forEachChild { isDeeper = isDeeper || $0.isNested(deeperThan: limit - 1) }
        return isDeeper
    }

    /// True if there are more values here than a limit, the outermost included.
    ///
    /// Looks inside only when the value has bytes enough for that.
    func holdsMoreValues(than limit: Int) -> Bool {
        size / Format.minimumChildBytes + 1 > limit && valueCount > limit
    }

    private var valueCount: Int {
        var count = 1
        forEachChild { count += $0.valueCount }
        return count
    }

    /// Visits the elements of a list, or the values of a record; a scalar has none.
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
