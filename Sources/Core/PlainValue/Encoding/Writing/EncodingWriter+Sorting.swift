extension EncodingWriter {
    @inline(__always)
    func child(at index: Int, of container: Container) -> EncodedPointer {
        EncodedPointer(buffer.base + container.start + Int(offsets[index]))
    }

    /// Sorts the entries of the innermost open container by their keys. Returns the number, by
    /// order of writing, of an entry whose key an earlier one has, or `nil`.
    mutating func sortEntries(of container: Container) -> Int? {
        let count = offsets.count - container.firstOffset
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { entries in
            for index in 0..<count { entries.initializeElement(at: index, to: index) }
            defer { entries.deinitialize() }
            return sort(entries, of: container)
        }
    }

    private mutating func sort(
        _ entries: UnsafeMutableBufferPointer<Int>, of container: Container
    ) -> Int? {
        func text(_ entry: Int) -> UnsafeRawBufferPointer {
            child(at: container.firstOffset + entry, of: container).text
        }
        var entries = entries
        entries.sort { order(of: text($0), to: text($1)) < 0 }
        for index in entries.indices.dropFirst()
        where order(of: text(entries[index - 1]), to: text(entries[index])) == 0 {
            return entries[index]
        }
        move(entries, of: container)
        return nil
    }

    /// Moves all entries, which lie after the header, into the given order.
    private mutating func move(
        _ entries: UnsafeMutableBufferPointer<Int>, of container: Container
    ) {
        let header = Format.containerHeader
        let first = container.start + header
        let length = buffer.count - first
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { sorted in
            guard let target = sorted.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: entries.count) { moved in
                var filled = 0
                for index in entries.indices {
                    let entry = child(at: container.firstOffset + entries[index], of: container)
                    let size = entry.size + entry.advanced(by: entry.size).size
                    (target + filled).copyMemory(from: entry.raw, byteCount: size)
                    let offset = UInt32(truncatingIfNeeded: header + filled)
                    moved.initializeElement(at: index, to: offset)
                    filled += size
                }
                assert(filled == length)
                for index in entries.indices {
                    replaceOffset(at: container.firstOffset + index, by: moved[index])
                }
            }
            (buffer.base + first).copyMemory(from: target, byteCount: length)
        }
    }
}
