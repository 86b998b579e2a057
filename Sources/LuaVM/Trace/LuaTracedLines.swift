import CLuaBridge

/// Lines of chunks that a ``LuaTrace`` tells of, with how often scripts got to each while one lasted.
///
/// They are counted in place, so that a line that is passed a million times costs no call of the host.
package final class LuaTracedLines {
    /// The lines, by their numbers.
    package let locations: [LuaLocation]
    let lines: UnsafeMutableBufferPointer<lb_traced_line>

    /// - Parameter locations: Each hit of these is told.
    package init(_ locations: Set<LuaLocation>) {
        self.locations = locations.sorted { ($0.line, $0.chunk) < ($1.line, $1.chunk) }
        // Without lines it has an address too.
        lines = .allocate(capacity: max(locations.count, 1))
        for (index, location) in self.locations.enumerated() {
            lines.initializeElement(
                at: index,
                to: lb_traced_line(
                    chunk: lb_text(copying: location.chunk), line: Int32(clamping: location.line),
                    hits: 0, next: 0))
        }
    }

    deinit {
        for index in locations.indices { lines[index].chunk.bytes.deallocate() }
        lines.deallocate()
    }

    /// How often scripts got to a line by now.
    package func hits(at index: Int) -> Int { Int(lines[index].hits) }

    /// Has the hits of a line before one counted and not told.
    package func tell(fromHit hit: Int, at index: Int) { lines[index].next = UInt64(hit) }
}
