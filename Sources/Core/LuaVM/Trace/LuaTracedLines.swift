import CLuaBridge

/// Lines that a ``LuaTrace`` reports, with the number of times that scripts reached each. They are
/// counted in place, so a line that is passed a million times costs no call of the host.
package final class LuaTracedLines {
    /// In the order of their numbers.
    package let locations: [LuaLocation]
    let lines: UnsafeMutableBufferPointer<lb_traced_line>
    private var conditions: [Int: LuaCondition] = [:]

    package init(_ locations: Set<LuaLocation>) {
        self.locations = locations.sorted { ($0.line, $0.chunk) < ($1.line, $1.chunk) }
        // The last one counts all lines.
        lines = .allocate(capacity: locations.count + 1)
        lines.initializeElement(at: locations.count, to: lb_traced_line())
        for (index, location) in self.locations.enumerated() {
            lines.initializeElement(
                at: index,
                to: lb_traced_line(
                    chunk: lb_text(copying: location.chunk), line: Int32(clamping: location.line),
                    hits: 0, next: 0, condition: nil))
        }
    }

    deinit {
        for index in locations.indices { lines[index].chunk.bytes.deallocate() }
        lines.deallocate()
    }

    package func hits(at index: Int) -> Int { Int(lines[index].hits) }

    /// The number of all lines that scripts have passed, if a trace counts them.
    package var passedCount: Int {
        get { Int(lines[locations.count].hits) }
        set { lines[locations.count].hits = UInt64(newValue) }
    }

    /// Ignores hits of a line at which a condition fails, as far as that is known without the host.
    package func set(_ condition: LuaCondition, at index: Int) {
        conditions[index] = condition
        lines[index].condition = UnsafePointer(condition.condition)
    }

    /// Counts the hits of a line before this one without reporting them.
    package func tell(fromHit hit: Int, at index: Int) { lines[index].next = UInt64(hit) }
}
