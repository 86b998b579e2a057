import LuaVM
import WorkflowKit
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
    /// The lines of the calls that were under way before those that are kept, by their places from the first of these, with
    /// how deep the calls are nested.
    private var around: [(index: Int, call: Int32, nodes: UInt16)] = []
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
            if failure?.code.isCut ?? false { isCut = true }
        }
    }

    package init(from first: Int = 0) { self.first = first }

    /// Adds a line that is about to be run.
    ///
    /// - Returns: Whether there is room for more.
    mutating func add(_ call: TracedCall, _ moment: borrowing LuaMoment) -> Bool {
        passed += 1
        guard passed > first else {
            let nodes = UInt16(clamping: call.depth)
            while let last = around.last, last.nodes >= nodes { around.removeLast() }
            around.append((passed - 1 - first, Int32(clamping: call.number), nodes))
            return true
        }
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

    /// The call that a line belongs to and how deep that is nested; `nil` if nothing is known of the line.
    func call(at index: Int) -> (number: Int32, nodes: UInt16)? {
        if lines.indices.contains(index) { return (lines[index].call, lines[index].depth.nodes) }
        return around.first { $0.index == index }.map { ($0.call, $0.nodes) }
    }

    /// The last line before an index that belongs to the call of a node around that one; below 0 it is before those that are
    /// kept.
    func caller(of index: Int) -> Int? {
        guard let nodes = call(at: index)?.nodes else { return nil }
        return lines.prefix(max(index, 0)).lastIndex { $0.depth.nodes < nodes }
            ?? around.last { $0.nodes < nodes }?.index
    }
}
