import LuaVM
package import WorkflowLua

/// The lines that were run for an input, in order: the moments at which a debugger can stop. Of very many they are some
/// that follow each other.
package struct StepLines: Sendable {
    /// One line that was run.
    package struct Line: Sendable, Hashable {
        /// The place of its file among ``StepLines/files``.
        var file: UInt16
        package var line: UInt32
        /// The number of the call of a node's function, from 1; 0: a file was being run.
        package var call: Int32
        /// How deep it is nested: calls of nodes, and functions within the innermost one.
        package var depth: Depth
    }

    /// How deep a call is nested.
    package struct Depth: Sendable, Hashable, Comparable {
        var nodes: UInt16
        var functions: UInt16

        package static func < (a: Depth, b: Depth) -> Bool {
            (a.nodes, a.functions) < (b.nodes, b.functions)
        }
    }

    /// How many are kept at most: an endless loop has no last one.
    package static let most = 1 << 18

    /// How many there were before those that are kept.
    package let first: Int
    private var passed = 0
    package private(set) var files: [String] = []
    package private(set) var lines: [Line] = []
    /// Whether there were more.
    package private(set) var isCut = false
    /// Whether lines may follow that are not kept.
    var isFull: Bool { lines.count == Self.most }
    /// What the input led to.
    package var failure: FlowError? {
        didSet {
            // Played again, it may go on from there.
            let ends: [FlowError.Code] = [.interrupted, .timeLimit]
            if let code = failure?.code, ends.contains(code) { isCut = true }
        }
    }

    package init(from first: Int = 0) { self.first = first }

    /// Adds a line that is about to be run.
    ///
    /// - Returns: Whether there is room for more.
    mutating func add(_ call: TracedCall, _ moment: borrowing LuaMoment) -> Bool {
        passed += 1
        guard passed > first else { return true }
        guard lines.count < Self.most else {
            isCut = true
            return false
        }
        lines.append(
            Line(
                file: number(of: moment), line: UInt32(clamping: moment.line),
                call: Int32(clamping: call.number),
                depth: Depth(
                    nodes: UInt16(clamping: call.depth), functions: UInt16(clamping: moment.depth)))
        )
        return true
    }

    private mutating func number(of moment: borrowing LuaMoment) -> UInt16 {
        if let last = lines.last?.file, moment.isIn(chunk: files[Int(last)]) { return last }
        for index in files.indices where moment.isIn(chunk: files[index]) { return UInt16(index) }
        files.append(moment.call(at: 0)?.location.chunk ?? "")
        return UInt16(files.count - 1)
    }

    /// Where a line stands.
    package func location(of index: Int) -> FlowError.Location {
        FlowError.Location(file: files[Int(lines[index].file)], line: Int(lines[index].line))
    }

    /// The last line at or before an index that belongs to the call of a node around that one.
    func caller(of index: Int) -> Int? {
        let depth = lines[index].depth.nodes
        guard depth > 1 else { return nil }
        return lines[..<index].lastIndex { $0.depth.nodes < depth }
    }
}
